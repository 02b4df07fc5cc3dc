"""`shutbox picture`: a position as an SVG or a PNG."""

import argparse
from pathlib import Path

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.lookup import find_any_position
from shutbox.messages import gettext
from shutbox.picture import svg
from shutbox.raster import png


def picture(arguments: argparse.Namespace) -> None:
    """The picture of a position, into a file or to the standard output."""
    game, position = find_any_position(arguments.position)
    scene = game.scene(position)
    if arguments.output is None:
        print(svg(scene))
        return
    file = Path(arguments.output)
    match file.suffix.lower():
        case ".svg":
            drawn = f"{svg(scene)}\n".encode()
        case ".png":
            drawn = png(scene)
        case _:
            raise NotUnderstood(
                "--output: {file} ends neither in .svg nor in .png", file=shown(arguments.output)
            )
    try:
        file.write_bytes(drawn)
    except OSError as error:
        reason = error.strerror
        raise NotUnderstood(
            "{file} cannot be written: {reason}", file=file, reason=reason
        ) from None
    print(gettext("The picture is in {file}.", file=file))
