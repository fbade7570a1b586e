"""Makes the files that say in other forms what the message models say. None of this is in the wheel."""
