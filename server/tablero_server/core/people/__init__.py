"""Players, their sessions, tokens and devices, and who is let in."""
