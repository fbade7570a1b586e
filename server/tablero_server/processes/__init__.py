"""Processes beside the server, for work that would block its event loop."""
