"""Bots in any language: the text protocol that docs/engines.md describes, spoken from both ends of a pipe."""
