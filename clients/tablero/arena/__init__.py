"""Brains against each other, in this process."""
