"""The protocol between clients and the server: messages, codes and encoding."""
