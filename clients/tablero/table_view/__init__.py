"""What a table looks like, whatever shows it: boards as cells of text, the cursor, what may be played."""
