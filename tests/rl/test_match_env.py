"""Matches as pettingzoo environments: pettingzoo's own tests, and the same play as a table."""

from typing import Any

import pytest

from shutbox import Table
from shutbox.engine import errors
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Over, Throw
from shutbox.table.lookup import find_any

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: make tools")

from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

from shutbox.rl import MatchEnv

MATCHES = [
    *(f"six[seats={seats}]" for seats in range(1, 13)),
    "classic[seats=3,rounds=2]",
    "cargo[seats=2,target=20]",
    "two-dice(tiles=1-6)[seats=3,turns=common,rounds=2]",
    "first-to-shut[seats=2]",
    "six[seats=3,rounds=3,stake=1,purse=2,ties=throw-off,begins=high-roll]",
]


@pytest.mark.parametrize("name", MATCHES)
def test_pettingzoo_finds_nothing_to_say(name: str) -> None:
    api_test(MatchEnv(name), num_cycles=60)
    seed_test(lambda: MatchEnv(name), num_cycles=30)


@pytest.mark.parametrize("name", MATCHES[2:])
@pytest.mark.parametrize("pays", ["share", "score"])
def test_a_match_is_that_of_the_table_with_the_same_dice(name: str, pays: str) -> None:
    env = MatchEnv(name, pays=pays)
    for seed in map(str, range(3)):
        env.reset(options={"cup": SeededCup(seed)})
        table: Any = Table(find_any(name), SeededCup(seed))
        while True:
            while isinstance(table.awaits, Throw):
                table.throw(seat=table.awaits.seat)
            assert table.position == env.position
            if isinstance(table.awaits, Over):
                break
            assert isinstance(table.awaits, Choose)
            seat, choices = table.awaits.seat, table.awaits.choices
            assert env.agent_selection == f"seat_{seat}"
            for agent in env.agents:
                open_ = env.infos[agent]["action_mask"].sum()
                assert open_ == (len(choices) if agent == env.agent_selection else 0)
            place = (seat + 1) % len(choices)
            env.step(place)
            table.choose(table.game.choice_text(choices[place]), seat=seat)
        over = table.awaits
        sign = -1 if table.game.scoring.low_is_good else 1
        for seat, score in enumerate(over.scores):
            share = (seat in over.winners) / len(over.winners)
            assert env.rewards[f"seat_{seat}"] == (share if pays == "share" else sign * score)
        assert all(env.terminations.values())


def test_an_action_that_is_not_open_changes_nothing() -> None:
    env = MatchEnv("six[seats=2]")
    env.reset(seed=1)
    before = env.position
    with pytest.raises(errors.IllegalChoice, match="action 3 is not open; there are 2 choices"):
        env.step(3)
    assert env.position == before
    assert env.render() == f"six[seats=2,rounds=1]:{env.match.position_id(before)}"


@pytest.mark.parametrize(("pays", "worst"), [("share", 0.0), ("score", -21.0)])
def test_an_action_that_is_not_open_ends_the_match_where_that_is_asked(
    pays: str, worst: float
) -> None:
    env = MatchEnv("six[seats=3]", pays=pays, illegal="ends")
    api_test(env, num_cycles=30)
    env.reset(seed=1)
    env.step(0)
    wrong = env.agent_selection
    env.step(99)
    assert all(env.terminations.values())
    assert env.rewards == {agent: worst if agent == wrong else 0.0 for agent in env.agents}
    infos = env.infos
    assert [agent for agent in env.agents if infos[agent].get("illegal")] == [wrong]
    assert not any(info["action_mask"].any() for info in infos.values())


@pytest.mark.parametrize("illegal", ["ends", "refused"])
def test_a_step_after_the_end_or_before_the_beginning_is_refused(illegal: str) -> None:
    env = MatchEnv("six[seats=2]", illegal=illegal)
    assert env.position == env.match.start()
    for _ in range(2):
        for action in (0, None):
            with pytest.raises(ResetNeeded, match="call reset"):
                env.step(action)
        env.reset(seed=1)
        while env.agents:
            env.step(None if env.terminations[env.agent_selection] else 0)


def test_what_is_no_match_is_refused() -> None:
    with pytest.raises(errors.NotUnderstood, match="is one turn, and this is about a match"):
        MatchEnv("six")
    with pytest.raises(errors.NotUnderstood, match="'money' is not known; write share or score"):
        MatchEnv(pays="money")
    with pytest.raises(errors.NotUnderstood, match="'never' is not known; write ends or refused"):
        MatchEnv(illegal="never")


@pytest.mark.parametrize("name", MATCHES)
def test_the_numbers_are_those_of_the_position(name: str) -> None:
    env = MatchEnv(name)
    for seed in range(6):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection]:
            assert env.match.position_at(env.match.position_id(env.position)) == env.position
            assert env.observe(env.agent_selection).tolist() == (
                env.encoder.position(env.position).tolist()
            )
            mask = env.infos[env.agent_selection]["action_mask"]
            assert mask.tolist() == env.encoder.mask(env.position).tolist()
            awaited = env.match.awaits(env.position)
            assert isinstance(awaited, Choose)
            assert env.agent_selection == f"seat_{awaited.seat}"
            env.step(seed % len(awaited.choices))


def test_a_match_prints_as_what_makes_it() -> None:
    env = MatchEnv("six[seats=3]", pays="score", illegal="ends")
    assert str(env) == repr(env) == repr(eval(repr(env), {"MatchEnv": MatchEnv}))
    assert repr(env) == "MatchEnv('six[seats=3,rounds=1]', pays='score', illegal='ends')"
