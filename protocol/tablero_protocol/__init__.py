"""What travels between a client and the server: messages, codes and their bytes."""
