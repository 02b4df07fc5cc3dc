"""Writes docs/terminal.svg: a real game on a real screen, as docs/playing.md shows it.

    python docs/makers/picture.py

The game runs in a terminal of 60 columns and 24 rows with the dice of a fixed seed. The characters
and colours of the screen model become text in an SVG, so the picture is sharp, small and
selectable. Screen readers get the last lines of the game.
"""

import sys
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from terminal.driver import Terminal, pyte  # noqa: E402

PICTURE = ROOT / "docs/terminal.svg"
COLUMNS, ROWS = 60, 24
GAME = ("play", "classic", "--seed", "attic")
TYPED = ("", "6", "9", "1 5")

WIDTH, HEIGHT, SIZE, MARGIN = 8.4, 17.0, 14, 18
BACKGROUND, PLAIN, BRIGHT = "#12161c", "#c9d1d9", "#ffffff"
COLOURS = {"brown": "#ffd166", "green": "#7ee787", "brightblack": "#8b949e"}
"""The colours of the game, by the names of the screen model. Brown means yellow there."""


def played() -> Terminal:
    """Play the game up to the moment to show."""
    with Terminal(*GAME, columns=COLUMNS, rows=ROWS) as terminal:
        for line in TYPED:
            terminal.type(line)
        return terminal


def screen_of(raw: str) -> Any:
    """Return the screen after this output. Faint text, which the model lacks, is shown in grey."""
    screen = pyte.Screen(COLUMNS, ROWS)
    pyte.Stream(screen).feed(raw.replace("\x1b[2m", "\x1b[90m"))
    return screen


def colour(character: Any) -> str:
    """Return the colour of a character of the screen model."""
    if character.fg == "default":
        return BRIGHT if character.bold else PLAIN
    return COLOURS[character.fg]


def line(row: Any, number: int) -> str:
    """Return one row of the screen as SVG, with a text element for each run of one colour."""
    characters = [row[column] for column in range(COLUMNS)]
    pieces = []
    column = 0
    for fill, run in groupby(characters, key=colour):
        text = "".join(character.data for character in run)
        shown = text.rstrip()
        if shown:
            x, y = MARGIN + column * WIDTH, MARGIN + (number + 0.8) * HEIGHT
            pieces.append(
                f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" xml:space="preserve"'
                f' textLength="{len(shown) * WIDTH:.1f}">{escape(shown)}</text>'
            )
        column += len(text)
    return "".join(f"{piece}\n" for piece in pieces)


def svg(screen: Any, spoken: list[str]) -> str:
    """Return the screen as SVG. The spoken lines become its description."""
    used = max(number for number, text in enumerate(screen.display) if text.strip()) + 1
    width, height = 2 * MARGIN + COLUMNS * WIDTH, 2 * MARGIN + used * HEIGHT
    lines = "".join(line(screen.buffer[number], number) for number in range(used))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="title says">\n'
        '<title id="title">Shut the Box in a terminal</title>\n'
        f'<desc id="says">{escape(" ".join(spoken))}</desc>\n'
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n'
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">\n'
        f"{lines}</g>\n</svg>\n"
    )


def main() -> None:
    """Write the picture."""
    terminal = played()
    PICTURE.write_text(
        svg(screen_of(terminal.raw), [*terminal.spoken, terminal.prompt]), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
