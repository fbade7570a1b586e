"""Addresses of this server, and how others on the network find them."""
