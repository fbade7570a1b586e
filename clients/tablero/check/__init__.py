"""The command `tablero bot-check`: it reports what is wrong with a bot, before anyone plays it."""
