"""How people meet: the lobby, invitations, pairing, television, ratings."""
