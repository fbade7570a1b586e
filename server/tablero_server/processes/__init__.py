"""Processes beside the server, for work that would hold up its loop."""
