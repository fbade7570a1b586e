"""Bots in any language: the messages in docs/engines.md, as lines at both ends of a pipe."""
