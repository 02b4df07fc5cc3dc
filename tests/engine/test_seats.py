"""Distinguishable names, and the typed list of seats: the cases are those of `data/names.toml`."""

import tomllib
from pathlib import Path
from typing import Any
from unicodedata import is_normalized

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from listing import assert_none
from shutbox.engine.english import shown, visible
from shutbox.engine.errors import BadName
from shutbox.engine.names import LONGEST_NAME, letters_in
from shutbox.engine.seats import MOST_SEATS, Seat, check_seats, read_name, read_seats
from shutbox.table.characters import read_players
from shutbox.table.terms import read_terms

DATA: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "names.toml").read_text(encoding="utf-8")
)
GOOD: list[str] = DATA["good"]
CLEANED = [(typed, one["name"]) for one in DATA["cleaned"] for typed in one["typed"]]
BAD = [(name, one["says"]) for one in DATA["bad"] for name in one["names"]]
LISTS = [(one["typed"], tuple(Seat(*seat) for seat in one["seats"])) for one in DATA["list"]]


def refused(text: str) -> str:
    """What is said about a list of seats."""
    with pytest.raises(BadName) as refusal:
        read_seats(text)
    message = str(refusal.value)
    assert message.isprintable()
    assert not message.endswith(".")
    return message


def test_a_name_is_cleaned() -> None:
    assert_none(name for name in GOOD if read_seats(name) != (Seat(name),))
    assert_none(pair for pair in CLEANED if read_name(pair[0]) != pair[1])
    for text, clean in [*((name, name) for name in GOOD), *CLEANED]:
        for seats in (read_seats(f"{text},Zed"), read_players(f"{text},Zed")):
            assert seats == (Seat(clean), Seat("Zed"))
        assert visible(clean) == clean
        assert clean in shown(clean)
    for text in ("{}=computer:most, {}", "{} and {}", "{} vs {}, 3 rounds"):
        names = ("علی\u200cرضا", next(name for name in GOOD if name[0] == "\U0001f3f4"))
        assert tuple(seat.name for seat in read_terms(text.format(*names)).seats) == names


def test_a_bad_name_is_refused() -> None:
    marks = ("A" + "\u0301" * 250, "at most 192 characters with all its accents, not 251")
    for text, said in (*BAD, marks, ("A\ud800nn", "no invisible .* 'Ann' by hand")):
        with pytest.raises(BadName, match=said) as refusal:
            read_name(text)
        message = str(refusal.value)
        assert message.isprintable()
        assert len(message) < 2000
        assert "\\" not in message or "have a meaning" in message


def test_names_that_are_alike_do_not_play_together_and_others_do() -> None:
    for pair in DATA["alike"]:
        assert [*map(read_name, pair)] == pair
        for one, other in (pair, pair[::-1]):
            message = refused(f"{one},Zara,{other}")
            assert message == f"{one!r} and {other!r} are too alike for one game"
    for pair in DATA["unlike"]:
        assert read_seats(",".join(pair)) == (*map(Seat, pair),)


def test_a_list_of_seats() -> None:
    for text, seats in LISTS:
        assert read_seats(text) == seats
        assert read_seats(",".join(map(str, seats))) == seats
        check_seats(seats)


def test_everything_wrong_with_a_list_is_said_at_once() -> None:
    for case in DATA["refused"]:
        message = refused(case["typed"])
        assert [part for part in case["says"] if part not in message] == []
        with pytest.raises(BadName):
            read_players(case["typed"])
        sentences = message.split("; ")
        assert len(set(sentences)) == len(sentences)


def test_seats_from_elsewhere_are_checked() -> None:
    said = {"Mary  Ann": "write 'Mary Ann'", "Ann ": "write 'Ann'", "Jose\u0301": "is not written"}
    for name, right in said.items():
        with pytest.raises(BadName, match=right):
            check_seats([Seat(name)])
    with pytest.raises(BadName, match="1 to 12 players, not 0"):
        check_seats([])


def test_of_too_many_seats_only_the_first_are_read() -> None:
    too_many = f"a game has 1 to 12 players, not {MOST_SEATS + 3}"
    assert refused(",".join("abcdefghjkmn") + ",#,x=y,computer:") == too_many
    seats = [*map(Seat, "abcdefghjkmn"), Seat("#"), Seat(""), Seat("x", "?")]
    with pytest.raises(BadName) as refusal:
        check_seats(seats)
    assert str(refusal.value) == too_many


@pytest.mark.parametrize(
    "text",
    [
        *("a" + "\u0301\u0323" * 200_000, "x" * 2_000_000, "a," * 500_000, " " * 2_000_000 + ","),
        *("computer:" + ":" * 1_000_000, "=" * 1_000_000, "\u0301 " * 500_000),
    ],
    ids=["marks", "letters", "commas", "spaces", "colons", "signs", "marks-and-spaces"],
)
def test_a_huge_text_is_refused_at_once(text: str) -> None:
    assert len(refused(text)) < 2000


STRANGE = [
    *("Ann", "ann", "Bob", "computer", "Computer 1", "=computer:", "=computer", ":random:", "most"),
    *(",", ", ", "=", ":", " ", "\t", "\n", "0", "O", "l", "1", "é", "e\u0301", "\u0301", "\ufe0f"),
    *("А", "Α", "\u200b", "\u3164", "\u2000", "\u037e", "\N{GAME DIE}", "!", "ß", "İ", "ŉ", "ﷺ"),
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(STRANGE), max_size=12).map("".join))


@given(TEXTS)
@example("\U0001d160" * 8)
def test_any_text_is_a_clean_name_or_a_bad_one(text: str) -> None:
    try:
        name = read_name(text)
    except BadName:
        return
    assert read_name(name) == name
    assert shown(name).count("\\") == 0
    assert is_normalized("NFC", name)
    assert 1 <= letters_in(name) <= LONGEST_NAME
    assert read_seats(name) == (Seat(name),)


NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "Zs", "So", "Mn"]), max_size=9)
KINDS = st.sampled_from(["", "fewest", "most", "fixed:7", "random:a=b: c", "Bad kind", "x:"])


@given(st.lists(st.builds(Seat, NAMES, KINDS), max_size=MOST_SEATS + 1))
def test_whatever_is_checked_can_be_written_and_read(seats: list[Seat]) -> None:
    try:
        check_seats(seats)
    except BadName:
        return
    assert read_seats(",".join(map(str, seats))) == tuple(seats)
