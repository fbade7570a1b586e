"""Bots in any language: the messages that docs/engines.md describes, as lines from both ends of a pipe."""
