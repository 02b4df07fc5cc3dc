"""Variant files of players: how they are read, and the message for every mistake.

Players write these files by hand, so a message names the file, the section, the key, the value and
what is allowed, and all mistakes are reported at once. No file may hang or crash the program,
however large or strange.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox import Game, at
from shutbox.engine.errors import BadVariant, UnknownGame
from shutbox.table.lookup import find_position

DATA: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "variants.toml").read_text(encoding="utf-8")
)
GOOD = """
[my-box]
title = "My Box"
source = "grandmother"
tiles = "1-6.8"
behind = [9, 8, 7, 6, 5, 4, 3]
down = 2
dice = "3d4"
fewer = "may-any"
cover = "sum2"
first = [4, 1]
stop_first = "5"
stop_on = [7, 8]
shut_at = 3
score = "count"
weights = "2x7.1x7"
"""


def found(folder: Path, text: str | bytes, id: str = "") -> Game[Any, Any]:
    """The game of a file with this text."""
    file = folder / "mine.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return shutbox.find(f"{file}#{id}" if id else str(file))


def problems(folder: Path, text: str | bytes) -> list[str]:
    """What is said about a bad file, a line for each mistake."""
    with pytest.raises(BadVariant) as refusal:
        found(folder, text)
    lines = str(refusal.value).splitlines()
    assert all(line.startswith("mine.toml: ") for line in lines)
    assert all(line.isprintable() and len(line) < 600 for line in lines)
    return [line.removeprefix("mine.toml: ") for line in lines]


def stanza(*lines: str) -> str:
    return "\n".join(["[box]", *lines])


def test_a_good_file(tmp_path: Path) -> None:
    game = found(tmp_path, GOOD)
    card = game.card()
    assert card.title == "My Box"
    assert card.options == {
        "tiles": "1-6.8",
        "behind": "9-3",
        "down": "2",
        "dice": "3d4",
        "fewer": "may-any",
        "cover": "sum2",
        "first": "1.4",
        "stop_first": "5",
        "stop_on": "7.8",
        "shut_at": "3",
        "score": "count",
        "weights": "2x7.1x7",
    }
    full = at(game, game.start()).text
    assert full.endswith(":1.3.4.5.6.8.b3.b4.b5.b6.b7.b8.b9")
    (tmp_path / "mine.toml").unlink()  # its name is enough
    again = shutbox.find(game.name)
    assert (again.name, again.card().options) == (game.name, card.options)
    assert (again.card().lines, find_position(full)[1]) == (card.lines, game.start())


def test_what_says_nothing_is_plain_and_lists_and_bytes_are_as_editors_write_them(
    tmp_path: Path,
) -> None:
    game = found(tmp_path, "[my-box]\n")
    assert (game.name, game.card().title) == ("two-dice", "My box")
    for tiles in ('"1-3.7"', '" 1-3 . 7 "', "[1, 2, 3, 7]", '"1.2.3.7"', '"01.2.3.007"'):
        assert found(tmp_path, stanza(f"tiles = {tiles}")).name == "two-dice(tiles=1-3.7)"
    for empty in ("down = []", 'down = "-"', "first = []", 'stop_on = "-"'):
        assert found(tmp_path, stanza(empty)).name == "two-dice"
    text = '[box]\r\nscore = "COUNT"\r\n'.encode("utf-8-sig")
    assert found(tmp_path, text).name == "two-dice(score=count)"


# Several stanzas.

TWO = '[one]\ntiles = "1-3"\n[two]\ntiles = "1-4"\n'


def test_a_stanza_of_several_has_to_be_named(tmp_path: Path) -> None:
    assert found(tmp_path, TWO, "one").name == "two-dice(tiles=1-3)"
    assert found(tmp_path, TWO, "two").name == "two-dice(tiles=1-4)"
    says = r"^mine.toml has one and two; say which, such as .*#one"
    with pytest.raises(UnknownGame, match=says):
        found(tmp_path, TWO)
    with pytest.raises(UnknownGame, match=says):
        found(tmp_path, TWO, "three")
    with pytest.raises(BadVariant, match=r"\[two\] tiles: 0 is not allowed"):
        found(tmp_path, '[one]\n[two]\ntiles = "0"\n', "one")


# Mistakes.


def test_every_mistake_at_once(tmp_path: Path) -> None:
    assert problems(tmp_path, DATA["mistakes"]) == DATA["said"]


def test_limits_at_their_edges(tmp_path: Path) -> None:
    for edge in DATA["edge"]:
        game = found(tmp_path, stanza(edge["passes"]))
        assert shutbox.find(game.name).name == game.name
        assert problems(tmp_path, stanza(edge["refused"])) == [f"[box] {edge['says']}"]


def covers(tiles: int, total: int) -> int:
    """The sets of the numbers 1 to `tiles` that make `total`."""
    counts = [1] + [0] * total
    for tile in range(1, tiles + 1):
        counts = [ways + (counts[at - tile] if at >= tile else 0) for at, ways in enumerate(counts)]
    return counts[total]


def test_the_limit_on_covers_at_its_edge(tmp_path: Path) -> None:
    # Below the middle of 30 tiles a total has the more covers the higher it is.
    assert covers(30, 73) <= 30_000 < covers(30, 74)
    found(tmp_path, stanza('tiles = "1-30"', 'dice = "1d73"'))
    many = stanza('tiles = "1-30"', 'dice = "1d74"')
    [problem] = problems(tmp_path, many)
    assert f"1d74; the total 74 has {covers(30, 74):,} covers, and at most 30,000" in problem
    for cover in ("sum2", "one"):
        found(tmp_path, f'{many}\ncover = "{cover}"')


# Values that are no rule at all.


def test_a_value_of_another_kind(tmp_path: Path) -> None:
    long = {"value": f"0x{'f' * 5000}", "shown": "a value too long to show"}
    for other in (*DATA["others"], long):
        for key in ("tiles", "down", "dice", "score", "weights"):
            [problem] = problems(tmp_path, stanza(f"{key} = {other['value']}"))
            said = problem.removeprefix(f"[box] {key}: ").removesuffix(
                " is not text, a number of up to nine digits or a list of them"
            )
            assert said.strip("'\"") == other["shown"]


HUGE = (
    *('"1-999999999999"', '"1-9999"', '"9999-1"', '"1x99"', f'"{"1-9999." * 140}1"'),
    *(f'"{"." * 5_000}"', f'"{"1" * 5_000}"', "1" * 4000, "-" + "9" * 400, "0x" + "f" * 10_000),
    *(f"[{'1, ' * 20_000}]", f'["1-9", {"[" * 40}{"]" * 40}]'),
)


def test_huge_values_are_answered(tmp_path: Path) -> None:
    for value in HUGE:
        for key in ("tiles", "down", "stop_on", "weights"):
            assert problems(tmp_path, stanza(f"{key} = {value}"))


STRANGE = (
    *('tiles = "½"', 'tiles = "²"', 'score = "ѕum"', 'title = "a\\nb"', 'title = "\\u202egnorw"'),
    *('title = "\\u0000"', 'title = "   "', '"tíles" = "1-9"', '"\\u001b[31m" = 1', '"" = "1-9"'),
    '["\\u001b[2J"]\n',
)


def test_strange_unicode_is_refused_in_print(tmp_path: Path) -> None:
    for line in STRANGE:
        assert len(problems(tmp_path, stanza(line))) == 1, line
    title = "Großmutters Kästchen 🎲"
    assert found(tmp_path, stanza(f'title = "{title}"')).card().title == title


# Files that are no variants at all.

NO_VARIANT = {
    b"": "no variant; write a stanza such as [my-box]",
    b"tiles = 1": "'tiles' stands outside a stanza; begin with one such as [my-box]",
    b"[[box]]\n": "'box' stands outside a stanza; begin with one such as [my-box]",
    "[box]\ntitle = '\xe9'".encode("latin-1"): "not UTF-8 at byte 15",
    "[box]".encode("utf-16"): "not UTF-8 at byte 0",
    **dict.fromkeys((b"[box\n", b"[box]\ntiles = \n", b"[box]\n[box]\n", b"\x00"), "not TOML: "),
    b"[box]\nx = " + b"[" * 10_000: "not TOML: nested too deeply",
    b"[box]\ntiles." + b".".join([b"a"] * 2000) + b" = 1\n": "[box] tiles: a value too long",
    b"#" * 16_001: "larger than 16,000 bytes",
}


def test_what_is_no_variant_is_refused_with_the_reason(tmp_path: Path) -> None:
    for content, says in NO_VARIANT.items():
        [problem] = problems(tmp_path, content)
        assert problem.startswith(says)
    assert found(tmp_path, b"[box]\n" + b"#" * 15_994).name == "two-dice"


def test_a_file_that_cannot_be_read_or_is_none_is_refused(tmp_path: Path) -> None:
    for name in ("missing", "no/such/folder", "a\0b", "x" * 5000, "\udcff"):
        with pytest.raises(UnknownGame, match=r"cannot be read: \w") as refusal:
            shutbox.find(f"{tmp_path}/{name}.toml")
        assert str(refusal.value).isprintable()
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")  # it would be waited for
    for name in ("folder", "pipe"):
        with pytest.raises(UnknownGame, match="is not a file"):
            shutbox.find(f"{tmp_path}/{name}.toml")
