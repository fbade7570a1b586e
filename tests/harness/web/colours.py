"""The distance between colours, even for colour-blind people.

The matrices by Machado, Oliveira and Fernandes (2009) are for eyes that lack one kind of cone. Distances are
in Oklab, in which 0.02 is about the least visible difference.
"""

from __future__ import annotations

from math import dist

Colour = tuple[float, float, float]
"""Red, green and blue as linear light, from 0 to 1."""
Matrix = tuple[Colour, Colour, Colour]

_EYES: dict[str, Matrix] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OPPOSITES: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def apart(one: str, other: str) -> float:
    """The distance of two colours for the eyes that distinguish them worst."""
    return min(dist(_seen(one, eyes), _seen(other, eyes)) for eyes in _EYES.values())


def contrast(one: str, other: str) -> float:
    """The contrast by WCAG, from 1 to 21."""
    lighter, darker = sorted((_brightness(one), _brightness(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _light(text: str) -> Colour:
    parts = text.strip().lstrip("#")
    red, green, blue = (int(parts[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _brightness(text: str) -> float:
    red, green, blue = _light(text)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _seen(text: str, eyes: Matrix) -> Colour:
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(eyes, _light(text)))
    long, middle, short = (max(0.0, part) ** (1 / 3) for part in _times(_CONES, (red, green, blue)))
    return _times(_OPPOSITES, (long, middle, short))


def _times(matrix: Matrix, colour: Colour) -> Colour:
    one, two, three = (sum(each * part for each, part in zip(row, colour, strict=True)) for row in matrix)
    return one, two, three
