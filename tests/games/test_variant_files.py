"""Variant files of players: how they are read, and the message for every mistake.

Players write these files by hand, so a message names the file, the section, the key, the value and
what is allowed, and all mistakes are reported at once. No file may hang or crash the program,
however large or strange.
"""

import os
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox import Game, at
from shutbox.engine.errors import BadVariant, UnknownGame
from shutbox.table.lookup import find_position

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
    assert game.position_id(game.start()) == "1.3.4.5.6.8.b3.b4.b5.b6.b7.b8.b9"


def test_the_name_of_a_game_from_a_file_needs_no_file(tmp_path: Path) -> None:
    game = found(tmp_path, GOOD)
    (tmp_path / "mine.toml").unlink()
    again = shutbox.find(game.name)
    assert again.name == game.name
    assert again.card().options == game.card().options
    assert again.card().lines == game.card().lines
    full = at(game, game.start()).text
    assert find_position(full)[1] == game.start()


def test_a_file_that_says_nothing_is_the_plain_box(tmp_path: Path) -> None:
    game = found(tmp_path, "[my-box]\n")
    assert game.name == "two-dice"
    assert game.card().title == "My box"


def test_a_list_is_written_in_many_ways(tmp_path: Path) -> None:
    for tiles in ('"1-3.7"', '" 1-3 . 7 "', "[1, 2, 3, 7]", '"1.2.3.7"', '"01.2.3.007"'):
        assert found(tmp_path, stanza(f"tiles = {tiles}")).name == "two-dice(tiles=1-3.7)"
    for empty in ("down = []", 'down = "-"', "first = []", 'stop_on = "-"'):
        assert found(tmp_path, stanza(empty)).name == "two-dice"


def test_bytes_that_editors_put_in_front_and_line_ends(tmp_path: Path) -> None:
    text = '[box]\r\nscore = "COUNT"\r\n'.encode("utf-8-sig")
    assert found(tmp_path, text).name == "two-dice(score=count)"


# Several stanzas.

TWO = '[one]\ntiles = "1-3"\n[two]\ntiles = "1-4"\n'


def test_a_stanza_of_several(tmp_path: Path) -> None:
    assert found(tmp_path, TWO, "one").name == "two-dice(tiles=1-3)"
    assert found(tmp_path, TWO, "two").name == "two-dice(tiles=1-4)"


def test_which_of_several_has_to_be_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match=r"^mine.toml has one and two; say which, such as .*#one"):
        found(tmp_path, TWO)
    with pytest.raises(
        UnknownGame, match=r"^'three' is not in the file; mine.toml has one and two$"
    ):
        found(tmp_path, TWO, "three")


def test_a_mistake_in_another_stanza_is_told_too(tmp_path: Path) -> None:
    with pytest.raises(BadVariant, match=r"\[two\] tiles: 0 is not allowed"):
        found(tmp_path, '[one]\n[two]\ntiles = "0"\n', "one")


# Mistakes.


def test_every_mistake_at_once(tmp_path: Path) -> None:
    text = """
loose = 1
[First]
tiles = "1-3.3.1000.0"
[second]
title = ""
colour = "red"
down = "1-9"
dice = "2d6+1d20"
fewer = "sometimes"
cover = "three"
first = 12
stop_first = 40
stop_on = [2, 2]
score = true
weights = "1x3"
[third]
tiles = "one"
dice = "13d6"
behind = "1"
"""
    assert problems(tmp_path, text) == [
        "'loose' stands outside a stanza; begin with one such as [my-box]",
        "[First] 'First' is not an id; use up to 40 of a to z, 0 to 9 and -",
        "[First] tiles: 0 is not allowed; numbers on tiles are 1 to 999",
        "[First] tiles: 1000 is not allowed; numbers on tiles are 1 to 999",
        "[First] tiles: 3 is there more than once",
        "[second] title: '' is not allowed; write 1 to 60 printable characters in quotes",
        "[second] score: True is not text, a number of up to nine digits or a list of them",
        "[second] 'colour' is not a rule; the rules are tiles, behind, down, dice, fewer, cover, "
        "first, stop_first, stop_on, shut_at, score and weights",
        "[second] fewer: 'sometimes' is not known; write never, may-top, must-top, may-sum, "
        "must-sum, may-last, must-last or may-any",
        "[second] cover: 'three' is not known; write sum, sum2, both-or-sum, die-or-sum or one",
        "[second] first: 12 is not a tile of the front row (1, 2, 3, 4, 5, 6, 7, 8 and 9)",
        "[second] down: every tile; at least one tile is up at the start",
        "[second] dice: 2d6+1d20; the dice of a box are all of one kind, such as 2d6",
        "[second] stop_first: 40 cannot be thrown; totals are 1 to 32",
        "[second] stop_on: 2 is there more than once",
        "[second] weights: 3 for 9; there is one for each tile, front row first, or none",
        "[third] tiles: 'one' is not a number; write a list such as 1-9 or 1.3.5",
        "[third] dice: 13d6; a box has 1 to 12 dice",
    ]


# Limits, at their edges: the line that passes, the line that does not, and what is said.


@pytest.mark.parametrize(
    ("passes", "refused", "says"),
    [
        ('tiles = "1-30"', 'tiles = "1-31"', "tiles: 31 in all; a box has 1 to 30 tiles"),
        ("tiles = [1]", "tiles = []", "tiles: none; a box has 1 to 30 tiles"),
        ("tiles = 1", "tiles = 0", "tiles: 0 is not allowed; numbers on tiles are 1 to 999"),
        (
            'tiles = "1-15"\nbehind = "1-15"',
            'tiles = "1-16"\nbehind = "1-16"',
            "tiles: 32 in all; a box has 1 to 30 tiles",
        ),
        (
            'behind = "2-10"',
            'behind = "2-9"',
            "behind: 8 behind 9; there is one behind each tile, or none",
        ),
        ('dice = "12d2"', 'dice = "13d2"', "dice: 13d2; a box has 1 to 12 dice"),
        ('dice = "1d100"', 'dice = "1d101"', "dice: a die of 101 sides; dice have 2 to 100 sides"),
        ('dice = "1d2"', 'dice = "1d1"', "dice: a die of 1 sides; dice have 2 to 100 sides"),
        ("stop_on = 12", "stop_on = 13", "stop_on: 13 cannot be thrown; totals are 2 to 12"),
        ("stop_first = 2", "stop_first = 1", "stop_first: 1 cannot be thrown; totals are 2 to 12"),
        ('down = "1-8"', 'down = "1-9"', "down: every tile; at least one tile is up at the start"),
        (
            "first = 2\ndown = 3",
            "first = 3\ndown = 3",
            "first: 3 is down from the start and cannot be covered",
        ),
        ('weights = "99x9"', 'weights = "0x9"', "weights: 0 is not allowed; weights are 1 to 99"),
        (
            'weights = "1x9"',
            'weights = "1x9"\nscore = "digits"',
            "weights: the score digits does not weigh tiles",
        ),
        (
            'cover = "both-or-sum"',
            'cover = "both-or-sum"\ndice = "3d6"',
            "cover: both-or-sum is a rule for 1 to 2 dice, and there are 3d6",
        ),
        (
            f'title = "{"t" * 60}"',
            f'title = "{"t" * 61}"',
            f"title: '{'t' * 40}...' is not allowed; write 1 to 60 printable characters in quotes",
        ),
    ],
)
def test_limits_at_their_edges(tmp_path: Path, passes: str, refused: str, says: str) -> None:
    game = found(tmp_path, stanza(passes))
    assert shutbox.find(game.name).name == game.name
    assert problems(tmp_path, stanza(refused)) == [f"[box] {says}"]


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


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("true", "True"),
        ("nan", "nan"),
        ("1979-05-27", "1979-05-27"),
        ("{ a = 1 }", "a table"),
        ("[[1]]", "a nested or long list"),
        ("0x" + "f" * 5000, "a number of more than nine digits"),
        (str(list(range(1, 12))).replace("1,", "1.5,"), "a nested or long list"),
        ("[1, true]", "[1, True]"),
        ('["1"]', "['1']"),
        ("[1.0]", "[1.0]"),
    ],
)
def test_a_value_of_another_kind(tmp_path: Path, value: str, shown: str) -> None:
    for key in ("tiles", "down", "dice", "score", "weights"):
        [problem] = problems(tmp_path, stanza(f"{key} = {value}"))
        said = problem.removeprefix(f"[box] {key}: ").removesuffix(
            " is not text, a number of up to nine digits or a list of them"
        )
        assert said.strip("'\"") == shown


@pytest.mark.parametrize(
    "value",
    [
        '"1-999999999999"',
        '"1-9999"',
        '"9999-1"',
        '"1x99"',
        f'"{"1-9999." * 140}1"',
        f'"{"." * 5_000}"',
        f'"{"1" * 5_000}"',
        "1" * 4000,
        "-" + "9" * 400,
        "0x" + "f" * 10_000,
        f"[{'1, ' * 20_000}]",
        f'["1-9", {"[" * 40}{"]" * 40}]',
    ],
    ids=lambda value: value[:12],
)
def test_huge_values_are_answered(tmp_path: Path, value: str) -> None:
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


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no variant; write a stanza such as [my-box]"),
        (b"tiles = 1", "'tiles' stands outside a stanza; begin with one such as [my-box]"),
        ("[box]\ntitle = 'é'".encode("latin-1"), "not UTF-8 at byte 15"),
        ("[box]".encode("utf-16"), "not UTF-8 at byte 0"),
        (b"[box\n", "not TOML: "),
        (b"[box]\ntiles = \n", "not TOML: "),
        (b"[box]\n[box]\n", "not TOML: "),
        (b"\x00", "not TOML: "),
        (b"[[box]]\n", "'box' stands outside a stanza; begin with one such as [my-box]"),
        (b"[box]\nx = " + b"[" * 10_000, "not TOML: nested too deeply"),
        (b"#" * 16_001, "larger than 16,000 bytes"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_no_variant_at_all(tmp_path: Path, content: bytes, says: str) -> None:
    [problem] = problems(tmp_path, content)
    assert problem.startswith(says)


def test_the_largest_file(tmp_path: Path) -> None:
    assert found(tmp_path, b"[box]\n" + b"#" * 15_994).name == "two-dice"


@pytest.mark.parametrize(
    "name",
    ["missing.toml", "no/such/folder.toml", "a\0b.toml", f"{'x' * 5000}.toml", "\udcff.toml"],
    ids=ascii,
)
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownGame, match=r"cannot be read: \w") as refusal:
        shutbox.find(f"{tmp_path}/{name}")
    assert str(refusal.value).isprintable()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UnknownGame, match="is not a file"):
        shutbox.find(str(tmp_path / "folder.toml"))


def test_what_is_deep_or_waits_for_ever_is_refused(tmp_path: Path) -> None:
    deep = "[box]\ntiles." + ".".join("a" * 2000) + " = 1\n"
    [problem] = problems(tmp_path, deep)
    assert problem.startswith("[box] tiles: a table")
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(UnknownGame, match="is not a file"):
        shutbox.find(str(tmp_path / "pipe.toml"))
