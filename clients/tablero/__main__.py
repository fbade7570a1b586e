"""The program `python -m tablero`."""

from .cli import main

if __name__ == "__main__":
    main()
