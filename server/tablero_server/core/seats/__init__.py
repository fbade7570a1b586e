"""Rooms in use: who sits, plays and watches, and what each of them is told."""
