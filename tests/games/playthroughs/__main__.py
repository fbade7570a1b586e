from tablero_games import GAMES

from . import file_of, written

for game in GAMES.values():
    file_of(game).write_text(written(game), encoding="utf-8")
