"""Matches as pettingzoo environments: pettingzoo's own tests, and the same play as a table."""

from typing import Any

import pytest

from shutbox import Table
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Over, Throw
from shutbox.table.lookup import find_any

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: make tools")

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


@pytest.mark.parametrize("name", MATCHES)
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
            assert env.match.position_at(env.match.position_id(env.position)) == env.position
            numbers = env.encoder.position(env.position).tolist()
            for agent in env.agents:
                assert env.observe(agent).tolist() == numbers
                open_ = env.infos[agent]["action_mask"].tolist()
                number = len(choices) if agent == env.agent_selection else 0
                assert open_ == env.encoder.mask_of(number).tolist()
            place = (seat + 1) % len(choices)
            env.step(place)
            table.choose(table.game.choice_text(choices[place]), seat=seat)
        over = table.awaits
        sign = -1 if table.game.scoring.low_is_good else 1
        for seat, score in enumerate(over.scores):
            share = (seat in over.winners) / len(over.winners)
            assert env.rewards[f"seat_{seat}"] == (share if pays == "share" else sign * score)
        assert all(env.terminations.values())
