"""The picture of a scene: complete, within its frame, and with the right pieces."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import shutbox
from records import positions
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import NotInstalled
from shutbox.engine.scene import Kind, Scene, State
from shutbox.output.picture import can_draw, png, svg
from shutbox.table.lookup import find_any, find_position
from terminal.pipe import piped

NAMES = [entry.name for entry in shutbox.catalogue()]
SVG = "{http://www.w3.org/2000/svg}"


def scenes(name: str) -> list[Scene]:
    """Those of a random play."""
    game = find_any(name)
    return [game.scene(position) for position in positions(game, plays=1, most_events=12)]


def drawn(scene: Scene) -> ElementTree.Element:
    """The picture, read as XML."""
    return ElementTree.fromstring(svg(scene))


def places(root: ElementTree.Element) -> Iterator[tuple[float, float, float, float]]:
    """The left, the top, the right and the bottom of each tile and die."""
    for piece in root:
        numbers = [float(number) for number in re.findall(r"-?[0-9.]+", piece.get("points", ""))]
        if numbers:
            yield min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])
        elif "d" in piece.attrib:
            left, foot, *_ = map(float, re.findall(r"-?[0-9.]+", piece.attrib["d"]))
            yield left, foot - 7, left, foot
        elif piece.get("class") in ("up", "hd", "ih") or piece.tag == f"{SVG}use":
            x, y, width, height = (float(piece.attrib[n]) for n in ("x", "y", "width", "height"))
            yield x, y, x + width, y + height


@pytest.mark.parametrize("name", [*NAMES, "pub"])
def test_every_piece_is_drawn_within_the_frame(name: str) -> None:
    for scene in scenes(name):
        root = drawn(scene)
        _, _, width, height = map(int, root.attrib["viewBox"].split())
        found = [*places(root)]
        assert len(found) == len(set(found)) == len(scene.pieces)
        assert min(min(left, top) for left, top, _, _ in found) >= 0
        assert all(right <= width and bottom <= height for _, _, right, bottom in found)


@pytest.mark.parametrize("name", ["classic", "double-shutter", "cargo", "tray", "the-300"])
def test_it_shows_the_faces_that_the_pieces_show(name: str) -> None:
    for scene in scenes(name):
        root = drawn(scene)
        texts = Counter(text.text for text in root.iter(f"{SVG}text"))
        up = [p.face for p in scene.pieces if p.kind is Kind.TILE and p.state is State.UP]
        dice = [p for p in scene.pieces if p.kind is Kind.DIE and p.state is not State.IN_HAND]
        assert texts == Counter(up + [p.face for p in dice if p.sides != 6])
        faces = Counter(use.attrib["href"] for use in root.iter(f"{SVG}use"))
        assert faces == Counter(f"#mini-{p.number}" for p in dice if p.sides == 6)


def test_it_says_what_it_shows() -> None:
    game, position = find_position("classic:1.5.9/2+2")
    scene = game.scene(position)
    assert drawn(scene).findtext(f"{SVG}title") == f"{scene.board} {scene.dice}"
    odd = replace(scene, board="1 & <b>.", dice="")
    assert "<title>1 &amp; &lt;b&gt;.</title>" in svg(odd)
    assert shutbox.Table(game, SeededCup("a"))._repr_svg_() == svg(game.scene(game.start()))


def test_the_command_draws(tmp_path: Path) -> None:
    game, position = find_position("classic:1.5.9/2+2")
    wanted = svg(game.scene(position))
    assert piped("picture", "classic:1.5.9/2+2").lines == [wanted]
    file = tmp_path / "box.svg"
    told = piped("picture", "classic:1.5.9/2+2", "-o", str(file))
    assert told.lines == [f"The picture is in {file}."]
    assert file.read_text(encoding="utf-8") == f"{wanted}\n"
    for name, says in (("box.gif", "ends neither in .svg nor"), ("no/box.svg", "No such file or")):
        refused = piped("picture", "classic", "-o", str(tmp_path / name))
        assert refused.code == 1
        assert says in refused.refusal


@pytest.mark.skipif(not can_draw(), reason="the extra png is not installed")
def test_it_is_drawn_in_dots() -> None:
    game, position = find_position("classic:1.5.9/2+2")
    drawn = png(game.scene(position))
    assert drawn.startswith(b"\x89PNG")
    assert int.from_bytes(drawn[16:20]) == 1200
    # Other digits give other dots: they are drawn with the font that comes along.
    others = (game.position_at(text) for text in ("1.5.8/2+2", "1.5.9/2+3", "2.5.9/2+2"))
    assert len({drawn, *(png(game.scene(other)) for other in others)}) == 4


def test_without_the_extra_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    game, position = find_position("classic:1.5.9/2+2")
    with pytest.raises(NotInstalled, match=r"'\.\[png\]'"):
        png(game.scene(position))
