"""Pictures of a scene: a self-contained SVG for notebooks, links and galleries, and a PNG.

They are drawn from the pieces, and show nothing that the sentences do not say.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from shutbox.engine.errors import needing
from shutbox.engine.game import Choose, Game
from shutbox.engine.scene import Kind, Piece, Scene, State
from shutbox.engine.typed_text import check_is

MOST_IN_ROW = 12  # tiles; more go into another row
MOST_DICE_IN_ROW = 8

_FRAME, _GAP = 14, 6
_TILE = (40, 58)  # width, height
_DIE = 40
_NARROWEST = 6 * (_TILE[0] + _GAP) + _GAP
_WOOD, _EDGE, _WELL, _BAIZE, _IVORY = "#7a4a22", "#3a1f0c", "#24150a", "#1d5c41", "#fffaf0"
_INK, _CREAM, _FALLEN, _SLOT, _BRASS = "#361a08", "#e8d0a0", "#c9a878", "#120a04", "#e0b458"
_FONT = "Georgia, 'Times New Roman', serif"

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


def svg(scene: Scene) -> str:
    """Return the picture of a scene as the text of an SVG.

    Screen readers read its title: what the scene says about board and dice.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> drawn = svg(classic.scene(classic.position_at("1.5.9/2+2")))
    >>> drawn[:70]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 448 162" role="im'
    >>> drawn.count("<circle")  # the pips of two twos
    4
    """
    check_is(scene, Scene)
    racks = _racks(scene.pieces)
    dice = [piece for piece in scene.pieces if piece.kind is Kind.DIE]
    in_lines = _lines(dice, MOST_DICE_IN_ROW) or ([] if racks else [[]])
    longest = max(map(len, [*racks, *in_lines]))
    inner = max(_NARROWEST, longest * (_TILE[0] + _GAP) + _GAP)
    parts, y = list[str](), _FRAME
    # Two areas, one below the other: the tiles in the well, and the dice on the baize.
    well = _Area(racks, *_TILE, _GAP, _tile, _WELL)
    baize = _Area(in_lines, _DIE, _DIE, 2 * _GAP, _die, _BAIZE)
    for area in (well, baize):
        if area.lines:
            step = area.height + area.gap
            high = len(area.lines) * step + area.gap
            parts.append(_rectangle(_FRAME, y, inner, high, fill=area.fill))
            for number, line in enumerate(area.lines):
                parts += _row(line, y + area.gap + number * step, inner, area.width, area.draw)
            y += high
    width, height = inner + 2 * _FRAME, y + _FRAME
    label = escape(" ".join(filter(None, (scene.board, scene.dice))))
    frame = _rectangle(1, 1, width - 2, height - 2, fill=_WOOD, stroke=_EDGE, rx=10)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{label}</title>{frame}{''.join(parts)}</svg>"
    )


class _Area(NamedTuple):
    """A part of a picture: lines of pieces on one ground."""

    lines: Sequence[Sequence[Piece]]
    width: int  # of a piece
    height: int
    gap: int  # above and below each line
    draw: Callable[[Piece], str]
    fill: str  # the colour of the ground


def _racks(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Return the tiles among the pieces in the lines to draw, the rear rows first."""
    tiles = [piece for piece in pieces if piece.kind is Kind.TILE]
    rows = ([t for t in tiles if t.row == row] for row in sorted({t.row for t in tiles})[::-1])
    return [line for row in rows for line in _lines(row, MOST_IN_ROW)]


def _lines(pieces: Sequence[Piece], most: int) -> list[Sequence[Piece]]:
    """Split the pieces into as few lines as possible, equally long except perhaps the last."""
    if not pieces:
        return []
    number = -(-len(pieces) // most)
    length = -(-len(pieces) // number)
    return [pieces[start : start + length] for start in range(0, len(pieces), length)]


def _row(
    pieces: Sequence[Piece], y: int, inner: int, width: int, draw: Callable[[Piece], str]
) -> Iterator[str]:
    """Yield an SVG group for each piece of one line, centred in the box, which is `inner` wide."""
    left = _FRAME + (inner - len(pieces) * (width + _GAP) + _GAP) // 2
    for number, piece in enumerate(pieces):
        x = left + number * (width + _GAP)
        yield f'<g transform="translate({x} {y})">{draw(piece)}</g>'


def _tile(tile: Piece) -> str:
    width, height = _TILE
    face = _text(tile.face, width / 2, height / 2 + 8, 24 if len(tile.face) < 3 else 18)
    if tile.state is State.UP:
        return _rectangle(0, 0, width, height, fill=_CREAM, rx=4) + face
    slot = _rectangle(0, 0, width, height, fill=_SLOT, rx=4)
    if tile.state is State.HIDDEN:
        return slot
    # A tile that is down lies flat at the foot of its slot.
    flap = f'<path d="M4 {height - 14}h{width - 8}l4 14h-{width}z" fill="{_WOOD}"/>'
    return slot + _text(tile.face, width / 2, height / 2 + 2, 18, _FALLEN) + flap


def _die(die: Piece) -> str:
    middle = _DIE / 2
    look = {"stroke": _BRASS, "stroke-width": 4} if die.state is State.HELD else {}
    if die.state is State.IN_HAND:
        look = {"fill-opacity": 0.35}
    shape = _rectangle(0, 0, _DIE, _DIE, fill=_IVORY, rx=8 if die.sides == 6 else 20, **look)
    if die.sides == 6:
        pips = ((middle + 11 * x, middle + 11 * y) for x, y in PIPS[die.number or 0])
        return shape + "".join(f'<circle cx="{x:g}" cy="{y:g}" r="4"/>' for x, y in pips)
    return shape + _text(die.face, middle, middle + 7, 20 if len(die.face) < 3 else 15)


def _rectangle(x: int, y: int, width: int, height: int, **drawn: object) -> str:
    look = "".join(f' {name}="{value}"' for name, value in drawn.items())
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"{look}/>'


def _text(text: str, x: float, y: float, size: int, fill: str = _INK) -> str:
    look = f'font-family="{_FONT}" font-weight="bold" font-size="{size}" text-anchor="middle"'
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}" {look}>{escape(text)}</text>'


# Miniatures: small pictures of a box, coloured by the style sheet of the page that shows them.

_MINI = (168, 88)  # width, height
_MINI_EDGE = 7  # the frame around well and baize
_MINI_WELLS = (0, 41, 50)  # the height of the well for no row of tiles, one, and more
_MINI_DIE = 17
_MINI_DICE = 6  # dice in a row
_EXAMPLE = (3, 5, 2, 6, 1, 4)  # the faces of six-sided dice before they are thrown

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


def miniature(pieces: Iterable[Piece], marked: Container[str] = (), badge: str = "") -> str:
    """Return a small SVG of a box for pages: decorative, so it is hidden from screen readers.

    It has classes instead of colours: `fr` the frame, `wl` the well, `bz` the baize, `up` and `dn`
    the tiles, `hd` tiles behind others, `mk` dice that are held and pieces whose keys are in
    `marked`. `badge` is a number beside the dice. Six-sided dice use MINIATURE_SYMBOLS; dice that
    are about to be thrown, and lines of dice after the third, are left out.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> drawn = miniature(classic.scene(classic.position_at("1.5.9/2+2")).pieces, {"5"})
    >>> drawn.count('class="up"'), drawn.count('class="up mk"'), drawn.count('class="dn"')
    (2, 1, 6)
    """
    pieces = tuple(pieces)
    rows = _racks(pieces)
    dice = [p for p in pieces if p.kind is Kind.DIE and p.state is not State.IN_HAND]
    (width, height), edge, well = _MINI, _MINI_EDGE, _MINI_WELLS[min(len(rows), 2)]
    inside = f'x="{edge}" y="{edge}" width="{width - 2 * edge}"'
    middle = (well + height) / 2  # of the baize below the well
    parts = [
        f'<rect class="fr" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="6"/>',
        f'<rect class="bz" {inside} height="{height - 2 * edge}" rx="3"/>',
    ]
    if rows:
        parts.append(f'<rect class="wl" {inside} height="{well}" rx="3"/>')
        parts += _small_tiles(rows, well, marked)
    parts += _small_dice(dice, width * 0.38 if badge else width / 2, middle, marked)
    if badge:
        parts.append(f'<text class="on" x="{width * 0.72:g}" y="{middle + 5:g}">{badge}</text>')
    size = f'viewBox="0 0 {width} {height}"'
    return f'<svg class="mini" {size} aria-hidden="true">{"".join(parts)}</svg>'


def _small_tiles(rows: list[Sequence[Piece]], well: int, marked: Container[str]) -> Iterator[str]:
    """Yield the tiles of a miniature, as wide and tall as the rows let them be."""
    step = min(22.0, (_MINI[0] - 18) / max(map(len, rows)))
    tall = (well - 4) / len(rows) - 3
    for number, row in enumerate(rows):
        left, top = (_MINI[0] - step * len(row)) / 2, 10 + number * (tall + 3)
        for place, tile in enumerate(row):
            yield _small_tile(tile, left + place * step + 1, top, step - 2, tall, marked)


def _small_dice(
    dice: Sequence[Piece], across: float, middle: float, marked: Container[str]
) -> Iterator[str]:
    """Yield the dice of a miniature in lines round the point (across, middle)."""
    lines = _lines(dice, _MINI_DICE)[:3]
    for number, line in enumerate(lines):
        y = middle + (number - (len(lines) - 1) / 2) * (_MINI_DIE + 1) - _MINI_DIE / 2
        for place, die in enumerate(line):
            yield _small_die(die, across + (place - len(line) / 2) * 22 + 2.5, y, marked)


def _small_tile(
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


def _small_die(die: Piece, x: float, y: float, marked: Container[str]) -> str:
    mark = ' class="mk"' if die.key in marked or die.state is State.HELD else ""
    if die.sides == 6:
        wide = _MINI_DIE + 4  # its symbol has space around the die
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
