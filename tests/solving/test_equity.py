"""Two-player matches, solved in every round: compared with the match itself played out.

Values are compared with the exact solver on the match protocol. If a match can go on indefinitely,
they are compared with so many plain steps on the rules that the rest cannot matter.
`test_equity_of_many` compares the arithmetic after a turn with the rules.
"""

import multiprocessing
import os
import pickle
import random
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin, Place
from nightly import one_in
from shutbox.cli.main import main
from shutbox.engine.errors import NotInstalled, TooLarge
from shutbox.engine.game import Choose, Game, Over, Scoring, Throw
from shutbox.match import Format, Match, presets
from shutbox.match.standing import Contest, Opening, Standing, Turn
from shutbox.solving import WIN, ExactSolver
from shutbox.table.lookup import find_any, match_of

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")

from shutbox.solving import columns, compiled  # noqa: E402
from shutbox.solving.advice.adviser import Adviser  # noqa: E402
from shutbox.solving.equity import sweep  # noqa: E402
from shutbox.solving.equity.cost import check_whole, whole_turn  # noqa: E402
from shutbox.solving.equity.fairness import share_of_first  # noqa: E402
from shutbox.solving.equity.match_value import NEAR as SLACK  # noqa: E402
from shutbox.solving.equity.match_value import (  # noqa: E402
    Equity,
    match_solver,
)
from shutbox.solving.solvers import graph_of_turn  # noqa: E402

PLAYERS = ("Ann", "Bob")
DOCS = Path(__file__).parents[2] / "docs"
LOW = (
    "two-dice(tiles=1-3,dice=1d4)",
    "classic(tiles=1-3,dice=2d2)",
    "two-dice(tiles=1.2.4,dice=1d4)",
    "win-at-three(tiles=2.3,dice=1d3)",
    "lucky-seven",
)
HIGH = ("covered(tiles=1-3,dice=1d4,fewer=never)", "covered(tiles=1-3,dice=2d2)", "coin")
ORDERS = ("seats", "rotate", "winner")
NEAR = 1e-11


class LowCoin(Coin):
    """The coin, where low is good: a 1 is what the turn is for, and counts."""

    name = "low coin"
    scoring = Scoring(best=1, worst=2)

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        awaited = super().awaits(position)
        return Over(awaited.scores, not awaited.shut) if isinstance(awaited, Over) else awaited


def game_of(name: str) -> Game[Any, Any]:
    return {"coin": Coin, "low coin": LowCoin}.get(name, lambda: shutbox.find(name))()


def drawn(number: int, *, exact: bool) -> list[tuple[str, str]]:
    """So many pairs of a game and a format; `exact`: one that the exact solver can do."""
    cup = random.Random(f"matches {number} {exact}")
    found: list[tuple[str, str]] = []
    while len(found) < number:
        game = cup.choice(LOW + HIGH)
        total = "limit" if game in LOW else "target"
        ends = [[f"{total}={cup.randint(2, 7)}"], ["until=shut"], [f"wins={cup.randint(1, 2)}"]]
        atoms = {
            "order": cup.choice(ORDERS),
            "shut": cup.choice(("scores", "wins")),
            "end": cup.choice(("complete", "stop")),
            "ties": cup.choice(("share", "carry") if exact else ("share", "throw-off")),
            "begins": cup.choice((1, 2) if exact else (1, 2, "high-roll")),
        }
        if exact:
            # A throw-off takes more events than Python goes deep; so do many rounds.
            ends.append([])
            atoms["rounds"] = cup.choice(
                (1, 2, 2, 3) if game in ("coin", "lucky-seven") else (1, 2)
            )
        written = ",".join([*cup.choice(ends), *(f"{key}={value}" for key, value in atoms.items())])
        if (game, written) not in found:
            found.append((game, written))
    return found


def named(name: str) -> Match[Any, Any]:
    match = find_any(name)
    assert isinstance(match, Match)
    return match


def solved(game: str, format: str) -> Equity:
    return Equity(Match(game_of(game), Format.parse(format), PLAYERS))


@pytest.mark.parametrize(("game", "format"), one_in(12, drawn(200, exact=True), drawn=True))
def test_a_match_of_rounds_is_worth_what_the_exact_solver_says(game: str, format: str) -> None:
    equity = solved(game, format)
    exact = ExactSolver(equity.match, WIN)
    assert equity.share() == pytest.approx(float(exact.value()), abs=NEAR)
    for here in turns_that_begin(equity.match, 40):
        assert equity.share(here) == pytest.approx(float(exact.value(here)), abs=NEAR), here


def turns_that_begin(match: Match[Any, Any], most: int) -> Iterator[Standing[Any]]:
    """Standings in which a turn begins, by the rules themselves, in no order, so many at most."""
    ends = graph_of_turn(match.game, match.game.start()).graph.ends.values()
    start = match.settled(match.start()).position
    if isinstance(start.doing, Contest):
        start = match.settled(replace(start, doing=Opening())).position
    waiting, seen = [start], {start}
    cup = random.Random(match.name)
    while waiting and most:
        here = waiting.pop(cup.randrange(len(waiting)))
        most -= 1
        yield here
        for score, shut in ends:
            after = match.rules.after_turn(here, Over((score,), shut)).position
            if isinstance(after.doing, Turn) and after not in seen:
                seen.add(after)
                waiting.append(after)


# Values that are known from elsewhere, and what must hold of all


def test_a_solved_match_is_a_value() -> None:
    equity = Equity(named("six[seats=2,limit=30]"))
    again = pickle.loads(pickle.dumps(equity))
    assert again == equity
    assert hash(again) == hash(equity)
    assert again.shares == equity.shares
    assert equity != Equity(named("six[seats=2,limit=31]"))


def test_a_solved_match_beyond_the_limits_can_be_pickled(monkeypatch: pytest.MonkeyPatch) -> None:
    equity = Equity(named("six[seats=3]"))
    monkeypatch.setattr("shutbox.solving.solvers.MOST_SECONDS", 0)
    assert pickle.loads(pickle.dumps(equity)) == equity


def test_what_was_solved_is_read_from_its_file(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = solved("six", "limit=30").share()

    def never(*arguments: object) -> None:
        raise AssertionError("it is in its file")

    with monkeypatch.context() as patched:
        patched.setattr(sweep, "Sweep", never)
        # Who begins is not what makes a standing worth something.
        assert solved("six", "limit=30,begins=2").share(seat=1) == share
        with pytest.raises(AssertionError, match="in its file"):
            solved("six", "limit=31")
    [file] = Path(os.environ["SHUTBOX_CACHE"]).rglob("match-six*")
    content = bytearray(file.read_bytes())
    content[-9] ^= 1
    file.write_bytes(content)
    assert solved("six", "limit=30").share() == share


# With and without numba


def values_of(name: str) -> Any:
    return sweep.Sweep(*whole_turn(named(name)), columns, float(SLACK)).values


@pytest.mark.parametrize("name", ["race-200", "six[seats=2,limit=20]", "cargo-night"])
def test_numpy_alone_finds_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, turn = whole_turn(named(name))
    worths = np.random.default_rng(13).random((3, turn.ends, 130))
    found = [columns.evaluate(turn, worths[:rows], 1e-11) for rows in (1, 2, 3)]
    whole = None if name == "race-200" else values_of(name)
    monkeypatch.setattr(columns, "COMPILED", False)
    for rows, one in enumerate(found, start=1):
        assert columns.evaluate(turn, worths[:rows], 1e-11) == pytest.approx(one)
        assert one[0] == pytest.approx(found[0][0])
    if whole is not None:
        assert values_of(name) == pytest.approx(whole, nan_ok=True)


@pytest.mark.filterwarnings("ignore:.*multi-threaded")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    _, turn = whole_turn(named("race-200"))
    worths = np.random.default_rng(13).random((1, turn.ends, 4 * columns.WIDTH))
    asked = turn, worths, 0.0
    values = columns.evaluate(*asked)
    child = multiprocessing.get_context("fork").Process(target=columns.evaluate, args=asked)
    child.start()
    child.join(60)
    child.kill()
    assert child.exitcode == 0
    assert columns.evaluate(*asked) == pytest.approx(values)


# What is refused


@pytest.mark.parametrize("name", ["six[seats=1]", "pub", "pub[seats=2,rounds=3]"])
def test_who_plays_alone_and_chips_are_refused(name: str) -> None:
    with pytest.raises(TooLarge, match="for two players or more, and without chips"):
        check_whole(named(name))


def test_a_match_that_nobody_can_end_is_refused() -> None:
    with pytest.raises(TooLarge, match="come nearer"):
        Equity(named("classic(tiles=1-4,dice=1d3)[seats=2,until=shut]"))


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "import_columns", lambda: None)
    with pytest.raises(NotInstalled, match="NumPy, which is not installed") as missing:
        check_whole(named("race-500"))
    assert (missing.value.code, missing.value.extra) == ("not-installed", "fast")


# What it is used for

BEHIND = "6;0;0;103,132;t0;1.3.4.9/1+3"


def test_advice_before_the_last_round_is_for_the_win() -> None:
    match = named("race-200")
    here = match.position_at(BEHIND)
    found = Adviser(match, every_round=True).advise(here)
    equity = Equity(match)
    assert found.aim == "win"
    assert equity.best(here).text == found.best.text
    for one in found.ranked:
        after = match.chosen(here, match.parse_choice(here, one.text))
        assert float(one.value) == pytest.approx(equity.share(after), abs=NEAR)
        assert float(one.cost) == pytest.approx(equity.share(here) - equity.share(after), abs=NEAR)
    # A file takes no time. Without being told to, and where it would take too long, it is
    # for the score.
    assert Adviser(match, every_round=True, seconds=0.1).advise(here).aim == "win"
    assert Adviser(match).advise(here).aim == "mean"
    longer = named("covered[seats=2,target=201,end=stop]")
    assert Adviser(longer, every_round=True, seconds=0.1).advise(here).aim == "mean"


# What the docs say

SAID = [
    pytest.param(*found.groups(), id=found[1][:40])
    for found in re.finditer(
        r"^```text\n\$ shutbox (.*?)\n(.*?)^```$",
        (DOCS / "odds.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
]


@pytest.mark.parametrize(("typed", "said"), SAID)
def test_what_the_docs_show_is_what_is_said(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(typed)) == 0
    assert capsys.readouterr().out == said


def test_the_docs_show_the_shares_of_many_standings() -> None:
    page = (DOCS / "odds.md").read_text(encoding="utf-8")
    grids = re.findall(r"^```text\n( +[\d ]+\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    knockout, cargo_night = ([line.split() for line in grid.splitlines()] for grid in grids)
    equity, race = Equity(named("knockout")), Equity(named("cargo-night"))
    for mine, *shares in knockout[1:]:
        places = [f"2;0;0;{mine},{theirs};t0;1-9" for theirs in knockout[0]]
        assert shares == [f"{100 * equity.share(place):.1f}" for place in places]
    start = race.match.game.position_id(race.match.game.start())
    for lead, *shares in cargo_night[1:]:
        totals = f"{max(0, int(lead))},{max(0, -int(lead))}"
        rounds = (1, 2, 3) if int(lead) == 0 else (2, 3)
        places = [f"{round};0;0;{totals};t0;{start}" for round in rounds]
        assert shares == [f"{100 * race.share(place):.1f}" for place in places]


def test_the_docs_know_what_it_is_worth_to_begin_any_match_with_a_name() -> None:
    page = (DOCS / "odds.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([\w-]+)` \| .* \| ([\d.]+) % \|$", page, re.MULTILINE)
    assert dict(told) == {name: f"{100 * share_of_beginner(name):.1f}" for name in presets()}


def share_of_beginner(name: str) -> float:
    match = match_of(name, ["Ann", "Bob"])
    if match.rules.rows:
        return Equity(match).shares[0]
    if match.format.most_rounds == 1:  # for chips, too
        start = match.start()
        return float(match_solver(match, start, "win").outlook(start).shares[0])
    return float(share_of_first(match))


@pytest.mark.parametrize(("page", "begins"), [("solver.md", "match = "), ("odds.md", "import ")])
def test_the_example_of_the_docs_runs(page: str, begins: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    [example] = re.findall(rf"^```python\n({begins}.*?)^```$", text, re.MULTILINE | re.DOTALL)
    there = {"shutbox": shutbox}
    for line in example.splitlines():
        code, _, value = line.partition("  # ")
        if value:
            assert repr(eval(code, there)) == value
        else:
            exec(code, there)
