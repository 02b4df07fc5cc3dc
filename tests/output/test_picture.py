"""The picture of a scene: complete, within its frame, and with the right pieces."""

import re
import sys
from collections import Counter
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


@pytest.mark.parametrize("name", [*NAMES, "pub"])
def test_every_piece_is_drawn_within_the_frame(name: str) -> None:
    for scene in scenes(name):
        root = drawn(scene)
        _, _, width, height = map(int, root.attrib["viewBox"].split())
        pieces = root.findall(f"{SVG}g")
        assert len(pieces) == len(scene.pieces)
        places = set()
        for piece in pieces:
            x, y = map(int, re.findall(r"\d+", piece.attrib["transform"]))
            ground = piece.find(f"{SVG}rect")
            assert ground is not None
            assert x + int(ground.attrib["width"]) <= width
            assert y + int(ground.attrib["height"]) <= height
            places.add((x, y))
        assert len(places) == len(pieces)


@pytest.mark.parametrize("name", ["classic", "double-shutter", "cargo", "tray", "the-300"])
def test_it_shows_the_faces_that_the_pieces_show(name: str) -> None:
    for scene in scenes(name):
        root = drawn(scene)
        texts = Counter(text.text for text in root.iter(f"{SVG}text") if text.text)
        shown = [p for p in scene.pieces if p.kind is Kind.TILE and p.state is not State.HIDDEN]
        dice = [p for p in scene.pieces if p.kind is Kind.DIE]
        assert texts == Counter(
            [p.face for p in shown] + [p.face for p in dice if p.sides != 6 and p.face]
        )
        pips = sum(p.number or 0 for p in dice if p.sides == 6)
        assert len([*root.iter(f"{SVG}circle")]) == pips


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
