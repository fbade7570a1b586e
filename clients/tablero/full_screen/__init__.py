"""The terminal client on a full screen, drawn by Textual."""
