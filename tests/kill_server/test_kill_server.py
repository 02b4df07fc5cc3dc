"""The server, killed under load: every acknowledged action is stored once, and in order."""

import random
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from kill_server.load import TABLES, Load
from kill_server.plants import EARLY, FORGETFUL, planted
from kill_server.told import faults, rows_of
from sealed import verify_dice
from serving import Served
from shutbox.engine.sealed_dice import envelope_of
from shutbox.web.actions.replays import records_of
from shutbox.web.rooms.events import Diced
from shutbox.web.storage.database import Database
from shutbox.web.storage.log import events_of, numbered_events
from shutbox.web.storage.schema import seeds

MOST_ANSWERS = 25
"""So many actions at most are acknowledged before a kill."""
A_MOMENT = 0.02
"""Seconds at most that the kill comes after the last of them."""
MANY = 50
WHILE_STARTING = 8
"""Every so many kills the next one comes while the server is starting."""


def killed(load: Load, served: Served, kills: int, least: int = 0) -> None:
    """Let clients play at a server that is killed so often, each time after `least` answers."""
    chance = random.Random(f"kills {kills}")
    with served, load.playing():
        for number in range(kills):
            load.wait(least + chance.randint(0, MOST_ANSWERS))
            threading.Event().wait(A_MOMENT * chance.random())
            if load.stopping.is_set():
                break
            served.kill()
            load.up.clear()
            if number % WHILE_STARTING == WHILE_STARTING - 1:
                start_and_kill(served, chance.random())
            served.start()
            load.up.set()


def start_and_kill(served: Served, delay: float) -> None:
    """Start the server, and kill it before or soon after it is ready."""

    def kill() -> None:
        if served.process is not None:
            served.process.kill()

    timer = threading.Timer(delay, kill)
    timer.start()
    try:
        served.start()
    except AssertionError:
        assert served.process is not None
        assert served.process.returncode == -9
    timer.join()
    served.kill()


def dice_checked(database: Path) -> tuple[int, int]:
    """Check the dice of every game in a database; return the numbers of openings and words.

    Each envelope has one seed, which no other has. All throws follow from it.
    """
    gids, opened, words = Counter[str](), 0, 0
    with closing(Database(f"sqlite:///{database}")) as found:
        stored = dict(found.rows(select(seeds.c.gid, seeds.c.seed)))
        for room in {row.room for row in rows_of(database)}:
            history = numbered_events(events_of(found, room))
            steps = [event for _, _, event in history if isinstance(event, Diced)]
            for step in steps:
                if step.step == "envelope":
                    gid, envelope = step.text.split()
                    seed = bytes.fromhex(stored[gid])
                    gids[gid] += 1
                    assert envelope_of(bytes.fromhex(gid), seed).hex() == envelope
            for _, record in records_of(room, history):
                assert verify_dice.problems(record.decode()) == []
                opening = record.decode().splitlines()[-1]
                opened += opening.startswith("opening ")
                words += "a word for" in opening
    assert gids.keys() == stored.keys()
    assert set(gids.values()) == {1}
    assert len({*stored.values()}) == len(stored)
    return opened, words


def test_what_was_acknowledged_is_kept_once_and_in_order(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    server_kills: int = pytestconfig.getoption("--server-kills")
    served = Served(tmp_path)
    load = Load(served.url)
    killed(load, served, server_kills)
    assert load.failed == []
    told, rows = load.told, rows_of(tmp_path / "tables.db")
    print(
        f"{server_kills} kills: {len(told.acknowledged)} acknowledged, {len(told.heard)} heard, "
        f"{len(told.refused)} refused, {told.repeated} sent again, {len(rows)} entries, "
        f"{len({row.room for row in rows})} rooms"
    )
    assert faults(rows, told) == []
    opened, words = dice_checked(tmp_path / "tables.db")
    print(f"{opened} envelopes opened, with {words} words")
    if server_kills > MANY:  # otherwise few games come to their end
        assert opened
        assert words
    assert len(told.acknowledged) > 10 * server_kills
    assert told.heard
    assert told.repeated


@pytest.mark.parametrize("code", [EARLY, FORGETFUL], ids=["early", "forgetful"])
def test_a_planted_bug_is_found(code: str, tmp_path: Path) -> None:
    served = Served(tmp_path, program=(planted(tmp_path, code),))
    load = Load(served.url, TABLES[:1])
    killed(load, served, 1, least=10)  # more than the opening, which is kept
    found = faults(rows_of(tmp_path / "tables.db"), load.told)
    assert any("is lost" in fault for fault in found), found
