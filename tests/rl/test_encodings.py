"""Positions and choices as arrays: fixed sizes, values within bounds, no two alike."""

import sys
from typing import Any

import pytest

from nightly import one_in
from records import positions
from shutbox import Dice, catalogue, find
from shutbox.engine import errors
from shutbox.table.lookup import find_any

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")

from shutbox.rl import Encoder  # noqa: E402

TURNS = [e.name for e in catalogue() if find(e.name).longest is not None]
OTHERS = [
    *("cargo(hold=each)", "classic(fewer=may-top)", "classic(score=digits)"),
    "classic[seats=3,rounds=2,stake=1]",
    "six[seats=12,rounds=2]",
    "six[seats=3,rounds=2,stake=2,purse=4,ties=throw-off,begins=high-roll]",
    "two-dice(tiles=1-6)[seats=3,turns=common,rounds=2]",
    "first-to-shut[seats=2]",
]


@pytest.mark.parametrize("name", [*one_in(4, TURNS), *OTHERS])
def test_no_two_positions_have_the_same_numbers(name: str) -> None:
    game: Any = find_any(name)
    encoder = Encoder(game)
    seen: dict[tuple[int, ...], Any] = {}
    for here in set(positions(game, 4, 1000)):
        numbers = encoder.position(here)
        assert numbers.dtype == np.int64
        assert numbers.shape == (len(encoder.features),)
        assert (encoder.low <= numbers).all()
        assert (numbers <= encoder.high).all()
        settled = game.settled(here).position if "[" in name else here
        assert seen.setdefault(tuple(numbers.tolist()), settled) == settled
        choices, mask = encoder.choices(here), encoder.mask(here)
        assert mask.dtype == np.int8
        assert mask.tolist() == [1] * len(choices) + [0] * (encoder.most_choices - len(choices))
        assert len({tuple(row) for row in choices.tolist()}) == len(choices)
        assert (choices <= [feature.most for feature in encoder.choice_features]).all()
        assert (choices >= 0).all()


def test_numbers_mean_what_their_names_say() -> None:
    classic: Any = find("classic")
    here = classic.rolled(classic.start(), Dice.parse("2d6").read("5 3"))
    for row, choice in zip(
        Encoder(classic).choices(here), classic.awaits(here).choices, strict=True
    ):
        taken = [str(place + 1) for place in np.flatnonzero(row[:9])]
        assert " ".join(taken) == classic.choice_text(choice)
    match = find_any("six[seats=2,rounds=2]")
    encoder = Encoder(match)
    here = match.position_at("1;0;0;0,0;t0;1-6/5")
    numbers = dict(zip((f.name for f in encoder.features), encoder.position(here), strict=True))
    assert (numbers["die_1"], numbers["6"], numbers["round"], numbers["due"]) == (5, 1, 1, 0)
    assert numbers["has_score_0"] == 0


def test_a_game_whose_numbers_are_not_known_or_too_long_is_refused() -> None:
    for name, says in (
        ("tray", "tray does not say how"),
        ("classic(tiles=1-30,score=digits)[seats=2]", "too long for an array"),
    ):
        with pytest.raises(errors.TooLarge, match=says):
            Encoder(find_any(name))


@pytest.mark.parametrize(
    ("missing", "name", "extra"), [("gymnasium", "TurnEnv", "gym"), ("numpy", "Encoder", "fast")]
)
def test_what_is_missing_is_named_with_its_extra(
    missing: str, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [module for module in sys.modules if module.startswith("shutbox.rl")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, missing, None)
    import shutbox.rl as fresh

    with pytest.raises(errors.NotInstalled, match=rf"{missing} is not installed.*\.\[{extra}\]"):
        getattr(fresh, name)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = fresh.Nothing  # type: ignore[attr-defined]
