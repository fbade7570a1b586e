"""How others reach this server: by which addresses, and how they hear of it."""
