"""Hints and the coach in the terminal: they must agree with the analysis."""

from math import inf

import pytest

from shutbox import Dice, Table, find
from shutbox.engine.cups import ScriptCup
from shutbox.engine.errors import TooLarge
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.coach import Coach
from shutbox.solving.progress import no_progress
from shutbox.solving.review.review import Reviewer
from shutbox.table.bots import Careful, OnPaper, Perfect, simpler_play
from shutbox.table.lookup import match_of
from shutbox.term import Console, Session
from shutbox.term.coach import SpokenCoach, say_review
from terminal.driver import Terminal


def test_a_hint_that_was_stopped_begins_with_the_best_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(self: Coach, position: object) -> tuple[str, ...]:
        raise KeyboardInterrupt

    table = Table(find("classic"), ScriptCup(["1+3"]))
    table.apply(table.prepare_throw())
    coach = SpokenCoach(table, Console(), speaks=False, progress=no_progress)
    with monkeypatch.context() as patch:
        patch.setattr(Coach, "best_and_why", stopped)
        coach.hint()
    coach.hint()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Stopped; h starts it again."
    assert said[1].startswith("4 shuts the box ")


def test_ctrl_c_ends_the_thinking_of_a_computer_player_not_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(self: Perfect, game: object, position: object, choices: object) -> None:
        raise KeyboardInterrupt

    match = match_of("digital", ["Abe", "Bea", "Cy"])
    bots = {seat: Perfect() for seat in (0, 1)}
    [says] = simpler_play(bots, match, match.players)
    assert says == "Abe and Bea play only for good scores: working out who wins takes too long."
    assert not [*simpler_play(bots, match_of("classic", ["Abe", "Bea"]), match.players)]
    assert [*simpler_play({1: OnPaper()}, find("2012"), ["Ann", "Odette"])] == [
        "Odette takes the first choice listed: working out a sheet takes too long."
    ]
    assert not [*simpler_play({0: OnPaper(seconds=inf)}, find("2012"), ["Odette"])]
    table = Table(match, ScriptCup(["1+3"]), bots=bots)
    table.throw()
    monkeypatch.setattr(Perfect, "pick", stopped)
    session = Session(table, Console(), players=match.players)
    assert session._prepare_bot().seat == 0
    assert {*map(type, table.bots.values())} == {Careful}
    says = "Abe and Bea stop thinking, and look one throw ahead from now on.\n"
    assert capsys.readouterr().out == says


def test_the_coach_goes_on_after_a_choice_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(self: Adviser, position: object) -> None:
        raise TooLarge("too slow", costly=True)

    table = Table(find("classic"), ScriptCup(["1+3", "1+5", "2+6"]))
    coach = SpokenCoach(table, Console(), speaks=True, progress=no_progress)
    for choice, is_slow in [("4", True), ("6", True), ("8", False)]:
        table.throw()
        with monkeypatch.context() as patch:
            if is_slow:
                patch.setattr(Adviser, "advise", slow)
            coach.prepare_judging()
            coach.judge(table.position, choice)
        table.choose(choice)
    *reason, verdict = capsys.readouterr().out.splitlines()
    assert [line[:28] for line in reason] == ["A hint would take too long n"], "once"
    assert verdict == "Best."


def test_a_game_that_cannot_be_solved_says_why_it_is_not_reviewed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(self: Reviewer, play: object, *_: object, **__: object) -> None:
        raise TooLarge("two-dice: too large", costly=True)

    monkeypatch.setattr(Reviewer, "review", slow)
    say_review(Table(find("two-dice")), ["Ann"], Console(), no_progress)
    says = "This game cannot be reviewed here. Two-dice: too large.\n"
    assert capsys.readouterr().out == says


def test_in_a_match_hints_and_costs_are_of_the_win() -> None:
    players = "Ann,Bob"
    with Terminal("play", "pub", "--players", players, "--dice", "hand", "--plain") as terminal:
        terminal.type("3 5")
        # A slow machine is told how far it is, first.
        assert any(line.startswith("8 wins ") for line in terminal.type("h"))
        said = terminal.type("h")
        match = match_of("pub", ["Ann", "Bob"])
        here = match.settled(match.start()).position
        position = match.rolled(here, Dice.of(2, 6).read("3 5"))
        best = Adviser(match).advise(position).best
        assert said[0] == "For the best chance to win, the best choice first."
        assert said[1].startswith(f"8: wins {100 * float(best.value):.0f} %")
