"""Players, their sessions, tokens and devices, and the rules for entering."""
