"""The host's commands, page, token, audit and metrics."""
