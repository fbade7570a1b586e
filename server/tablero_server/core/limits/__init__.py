"""How much anyone may do, and how often."""
