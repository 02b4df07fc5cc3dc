"""`shutbox picture`: a position as an SVG."""

import argparse
from pathlib import Path

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.lookup import find_any_position
from shutbox.messages import gettext
from shutbox.picture import svg


def picture(arguments: argparse.Namespace) -> None:
    """The picture of a position, into a file or to the standard output."""
    game, position = find_any_position(arguments.position)
    drawn = svg(game.scene(position))
    if arguments.output is None:
        print(drawn)
        return
    file = Path(arguments.output)
    if file.suffix.lower() != ".svg":
        raise NotUnderstood("--output: {file} does not end in .svg", file=shown(arguments.output))
    try:
        file.write_text(f"{drawn}\n", encoding="utf-8")
    except OSError as error:
        reason = error.strerror
        raise NotUnderstood(
            "{file} cannot be written: {reason}", file=file, reason=reason
        ) from None
    print(gettext("The picture is in {file}.", file=file))
