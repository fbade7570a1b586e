"""`tablero bot-check`: what is wrong with a bot, before anyone plays it."""
