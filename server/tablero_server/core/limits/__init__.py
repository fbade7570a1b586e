"""Limits on amounts and rates."""
