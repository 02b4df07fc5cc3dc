"""Pictures of a scene: a self-contained SVG for notebooks and links, a PNG, and one for pages.

They are drawn from the pieces, and show nothing that the sentences do not say.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any

from shutbox.engine.errors import needing
from shutbox.engine.game import Choose, Game
from shutbox.engine.scene import Kind, Piece, Scene, State
from shutbox.engine.typed_text import check_type

MOST_IN_ROW = 12  # tiles; more go into another row

_WIDTH, _HEIGHT = 168, 88
_EDGE = 7  # the frame around well and baize
_WELLS = (0, 41, 50)  # the height of the well for no row of tiles, one, and more
_DIE = 17
_DICE = 6  # in a row
_EXAMPLE = (3, 5, 2, 6, 1, 4)  # the faces of six-sided dice before they are thrown

PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""The (x, y) positions of the pips from the centre of a face, by its number."""

MINIATURE_SYMBOLS = "".join(
    f'<symbol id="mini-{number}" viewBox="0 0 17 17"><g transform="rotate({17 * (number % 2) - 8} '
    '8.5 8.5)"><rect class="sd" x="2" y="4" width="13" height="12" rx="3.5"/>'
    '<rect class="di" x="2" y="1.5" width="13" height="11.5" rx="3.5"/>'
    + "".join(
        f'<circle class="pp" cx="{8.5 + 3.7 * x:g}" cy="{7.25 + 3.2 * y:g}" r="1.4"/>'
        for x, y in pips
    )
    + "</g></symbol>"
    for number, pips in enumerate(PIPS)
    if pips
)
"""The six-sided dice, which a page with miniatures includes once, inside a hidden SVG."""


def pieces_with_dice(game: Game[Any, Any]) -> Iterator[Piece]:
    """Yield the pieces at the start of a game, with all its dice shown as if thrown.

    >>> from shutbox import find
    >>> [piece.face for piece in pieces_with_dice(find("classic(dice=2d10)"))][-2:]
    ['10', '10']
    """
    start, examples = game.start(), cycle(_EXAMPLE)
    due = game.awaits(start)
    if isinstance(due, Choose) and not any(p.kind is Kind.DIE for p in game.scene(start).pieces):
        start = game.chosen(start, due.choices[-1])  # a number of dice: the last is all
    for piece in game.scene(start).pieces:
        if piece.kind is Kind.DIE and piece.state is State.IN_HAND:
            number = next(examples) if piece.sides == 6 else piece.sides
            yield replace(piece, state=State.LYING, number=number, face=str(number))
        else:
            yield piece


# The colours of a picture that stands alone; on a page they are those of its style sheet.
_LOOK = "".join(
    f".shutbox {what}{{{look}}}"
    for what, look in {
        ".fr": "fill:#7a4a22;stroke:#3a1f0c",
        ".bz": "fill:#1d5c41",
        ".wl": "fill:#24150a",
        ".up": "fill:#e8d0a0",
        ".dn": "fill:#7a4a22",
        ".hd": "fill:none;stroke:#7a4a22;stroke-dasharray:2 2",
        ".di": "fill:#fffaf0",
        "symbol .di": "stroke:currentColor;stroke-width:1.6",
        ".sd": "fill:#d8c8a4",
        ".pp": "fill:#361a08",
        ".ih": "fill:#fffaf0;fill-opacity:0.35",
        "use": "color:transparent",
        "use.mk": "color:#e0b458",
        "polygon.mk": "fill:#e0b458",
        "text": "fill:#361a08;font:700 13px Georgia,'Times New Roman',serif;text-anchor:middle",
        ".sm": "font-size:9.5px",
    }.items()
)


def svg(scene: Scene) -> str:
    """Return the picture of a scene as the text of an SVG.

    Screen readers read its title: what the scene says about board and dice.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> drawn = svg(classic.scene(classic.position_at("1.5.9/2+2")))
    >>> drawn[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 168 88" role="img'
    >>> drawn.count('href="#mini-2"')  # two twos
    2
    """
    check_type(scene, Scene)
    label = escape(" ".join(filter(None, (scene.board, scene.dice))))
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" class="shutbox"'
    look = f"<title>{label}</title><style>{_LOOK}</style>{MINIATURE_SYMBOLS}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{look}{_drawn(scene.pieces)}</svg>'


def miniature(pieces: Iterable[Piece], marked: Container[str] = (), badge: str = "") -> str:
    """Return a small SVG of a box for pages: decorative, so it is hidden from screen readers.

    It has classes instead of colours: `fr` the frame, `wl` the well, `bz` the baize, `up` and `dn`
    the tiles, `hd` tiles behind others, `mk` dice that are held and pieces whose keys are in
    `marked`. `badge` is a number as text beside the dice, or "". Six-sided dice use
    MINIATURE_SYMBOLS; dice that are about to be thrown are left out.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> drawn = miniature(classic.scene(classic.position_at("1.5.9/2+2")).pieces, {"5"})
    >>> drawn.count('class="up"'), drawn.count('class="up mk"'), drawn.count('class="dn"')
    (2, 1, 6)
    """
    thrown = [piece for piece in pieces if piece.state is not State.IN_HAND]
    drawn = _drawn(thrown, marked, badge)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class="mini" {size} aria-hidden="true">{drawn}</svg>'


def _drawn(pieces: Sequence[Piece], marked: Container[str] = (), badge: str = "") -> str:
    """Return the frame, the tiles in the well, the dice on the baize, and the badge."""
    tiles = [piece for piece in pieces if piece.kind is Kind.TILE]
    rows = ([t for t in tiles if t.row == row] for row in sorted({t.row for t in tiles})[::-1])
    racks = [line for row in rows for line in _lines(row, MOST_IN_ROW)]
    dice = [piece for piece in pieces if piece.kind is Kind.DIE]
    well = _WELLS[min(len(racks), 2)]
    inside = f'x="{_EDGE}" y="{_EDGE}" width="{_WIDTH - 2 * _EDGE}"'
    middle = (well + _HEIGHT) / 2  # of the baize below the well
    parts = [
        f'<rect class="fr" x="1" y="1" width="{_WIDTH - 2}" height="{_HEIGHT - 2}" rx="6"/>',
        f'<rect class="bz" {inside} height="{_HEIGHT - 2 * _EDGE}" rx="3"/>',
    ]
    if racks:
        parts.append(f'<rect class="wl" {inside} height="{well}" rx="3"/>')
        parts += _tiles(racks, well, marked)
    parts += _dice(dice, _WIDTH * 0.38 if badge else _WIDTH / 2, middle, marked)
    if badge:
        parts.append(f'<text class="on" x="{_WIDTH * 0.72:g}" y="{middle + 5:g}">{badge}</text>')
    return "".join(parts)


def _lines(pieces: Sequence[Piece], most: int) -> list[Sequence[Piece]]:
    """Split the pieces into as few lines as possible, equally long except perhaps the last."""
    if not pieces:
        return []
    number = -(-len(pieces) // most)
    length = -(-len(pieces) // number)
    return [pieces[start : start + length] for start in range(0, len(pieces), length)]


def _tiles(racks: list[Sequence[Piece]], well: int, marked: Container[str]) -> Iterator[str]:
    """Yield the tiles in their racks, as wide and tall as these let them be."""
    step = min(22.0, (_WIDTH - 18) / max(map(len, racks)))
    tall = (well - 4) / len(racks) - 3
    for number, rack in enumerate(racks):
        left, top = (_WIDTH - step * len(rack)) / 2, 10 + number * (tall + 3)
        for place, tile in enumerate(rack):
            yield _tile(tile, left + place * step + 1, top, step - 2, tall, marked)


def _dice(
    dice: Sequence[Piece], across: float, middle: float, marked: Container[str]
) -> Iterator[str]:
    """Yield the dice in lines round the point (across, middle)."""
    lines = _lines(dice, _DICE)
    for number, line in enumerate(lines):
        y = middle + (number - (len(lines) - 1) / 2) * (_DIE + 1) - _DIE / 2
        for place, die in enumerate(line):
            yield _die(die, across + (place - len(line) / 2) * 22 + 2.5, y, marked)


def _tile(
    tile: Piece, x: float, y: float, width: float, height: float, marked: Container[str]
) -> str:
    mark = " mk" if tile.key in marked else ""
    if tile.state is State.DOWN:
        foot = y + height
        flap = f"M{x + 1:.1f} {foot:.1f}l1.5-7h{width - 5:.1f}l1.5 7z"
        return f'<path class="dn{mark}" d="{flap}"/>'
    kind = "hd" if tile.state is State.HIDDEN else "up"
    size = "" if width >= 14 and height >= 30 else ' class="sm"'
    face = escape(tile.face) if tile.state is State.UP or mark else ""
    drawn = (
        f'<rect class="{kind}{mark}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="1.5"/>'
    )
    baseline = y + height / 2 + (3.2 if size else 4.5)
    return drawn + (
        f'<text{size} x="{x + width / 2:.1f}" y="{baseline:.1f}">{face}</text>' if face else ""
    )


def _die(die: Piece, x: float, y: float, marked: Container[str]) -> str:
    mark = ' class="mk"' if die.key in marked or die.state is State.HELD else ""
    if die.state is State.IN_HAND:
        return f'<rect class="ih" x="{x:.1f}" y="{y:.1f}" width="{_DIE}" height="{_DIE}" rx="4"/>'
    if die.sides == 6:
        wide = _DIE + 4  # its symbol has space around the die
        place = f'x="{x - 2:.1f}" y="{y - 2:.1f}" width="{wide}" height="{wide}"'
        return f'<use href="#mini-{die.number}"{mark} {place}/>'
    points = ((8.5, 0), (16, 4.2), (16, 12.8), (8.5, 17), (1, 12.8), (1, 4.2))
    shape = " ".join(f"{x + right:.1f},{y + down:.1f}" for right, down in points)
    face = escape(die.face) or str(die.sides)
    return (
        f'<polygon class="di{" mk" if mark else ""}" points="{shape}"/>'
        f'<text class="sm" x="{x + 8.5:.1f}" y="{y + 11.7:.1f}">{face}</text>'
    )


# PNGs, for programs that show no SVG, such as previews of links in chats. They are drawn by resvg,
# which the extra `png` installs. The font of the digits is our own: PNGs look the same everywhere.

WIDTH = 1200  # pixels; programs scale a preview down
_DIGITS = Path(__file__).parent / "fonts" / "digits.otf"


def can_draw() -> bool:
    """Whether the extra `png` is installed, so that `png` works."""
    return find_spec("resvg_py") is not None


def png(scene: Scene) -> bytes:
    """Return a scene as a PNG, WIDTH pixels wide. Raises NotInstalled without the extra `png`."""
    with needing("png"):
        import resvg_py
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=svg(scene),
        width=WIDTH,
        skip_system_fonts=True,
        font_files=[str(_DIGITS)],
        serif_family="Shutbox Serif",
    )
    return bytes(drawn)
