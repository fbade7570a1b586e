"""Meeting others: the lobby, invitations, pairing, television, ratings."""
