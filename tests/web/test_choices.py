"""The form for a new table: its texts about rules and formats are complete and true."""

import re
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any

import pytest

from people import Person
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.seats import MOST_SEATS
from shutbox.games.box.game import KEYS as RULE_KEYS
from shutbox.games.box.game import help_texts
from shutbox.games.box.rule_tables import CoverRule, Fewer, ScoreRule
from shutbox.match import Format
from shutbox.match.format import ATOMS as ATOM_KEYS
from shutbox.match.format import (
    MOST_BONUS,
    MOST_ROUNDS,
    EachTurn,
    End,
    Order,
    Payment,
    Stuck,
    Ties,
    Until,
    WhenShut,
)

RULES = help_texts()
ATOMS = {key: atom.says for key, atom in ATOM_KEYS.items()}

VALUES: dict[str, type[Enum]] = {
    "fewer": Fewer,
    "cover": CoverRule,
    "score": ScoreRule,
    "until": Until,
    "turns": EachTurn,
    "stuck": Stuck,
    "shut": WhenShut,
    "order": Order,
    "end": End,
    "pays": Payment,
    "ties": Ties,
}
"""The rules and atoms whose value is one of a few words, each of which is named."""


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9-]+", text)


def test_every_rule_of_a_box_and_no_other_is_explained() -> None:
    assert list(RULES) == list(RULE_KEYS)


def test_every_atom_of_a_format_and_no_other_is_explained() -> None:
    assert set(ATOMS) == {field.name for field in fields(Format)}
    assert all(ATOMS.values())


@pytest.mark.parametrize(("key", "kind"), VALUES.items(), ids=str)
def test_every_word_that_may_be_written_is_named(key: str, kind: type[Enum]) -> None:
    says = words({**RULES, **ATOMS}[key])
    for member in kind:
        assert member.value in says


READERS: dict[str, Callable[[str], Any]] = {
    **{key: how.read for key, how in RULE_KEYS.items()},
    **{key: atom.read for key, atom in ATOM_KEYS.items()},
}


@pytest.mark.parametrize("key", READERS)
def test_a_key_that_takes_words_is_among_those_that_are_held(key: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        READERS[key]("nonsense")
    assert ("is not known; write " in str(refused.value)) == (key in VALUES)


def test_the_bounds_that_are_said_are_the_bounds() -> None:
    assert f"1 to {MOST_ROUNDS}" in ATOMS["rounds"]
    assert f"0 to {MOST_BONUS}" in ATOMS["bonus"]


EXAMPLES = (
    ("tiles=1-9", ""),
    ("tiles=1.3.5", ""),
    ("dice=2d6", ""),
    ("dice=1d20", ""),
    ("", "stake=1,purse=20.20.5"),
)


@pytest.mark.parametrize(("overrides", "format"), EXAMPLES)
def test_the_examples_that_are_shown_can_be_written(
    ann: Person, overrides: str, format: str
) -> None:
    value = (overrides or format).rpartition("=")[2]
    assert any(value in says for says in (*RULES.values(), *ATOMS.values()))
    game = f"classic({overrides})" if overrides else "classic"
    seats = [{"who": "here"}] * 3
    opened = ann.post("/api/rooms", game=game, format=format, seats=seats)
    assert opened.status_code == 201, opened.text


def test_the_form_shows_all_of_it(ann: Person) -> None:
    page = ann.get("/new").text
    for key in (*RULES, *ATOMS):
        assert f"<code>{key}</code>" in page
    assert len(re.findall('name="who"', page)) == MOST_SEATS
