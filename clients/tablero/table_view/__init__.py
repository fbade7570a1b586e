"""The look of a table on any screen: boards as cells of text, the cursor, and playable moves."""
