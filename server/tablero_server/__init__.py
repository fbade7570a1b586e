"""The server: a plain, synchronous core (hub, session, room, lobby) and a few modules that do I/O."""
