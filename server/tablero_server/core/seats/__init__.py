"""Rooms in use: players, seats and watchers, and the messages to each of them."""
