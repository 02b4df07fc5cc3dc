"""The server, killed under load: every acknowledged action is stored once, and in order."""

import random
import threading
from pathlib import Path

import pytest

from kill_server.load import TABLES, Load
from kill_server.plants import EARLY, FORGETFUL, planted
from kill_server.told import faults, rows_of
from serving import Served

MOST_ANSWERS = 25
"""So many actions at most are acknowledged before a kill."""
A_MOMENT = 0.02
"""Seconds at most that the kill comes after the last of them."""
WHILE_STARTING = 8
"""Every so many kills the next one comes while the server is starting."""


def killed(load: Load, served: Served, kills: int) -> None:
    """Let clients play at a server that is killed so often."""
    chance = random.Random(f"kills {kills}")
    with served, load.playing():
        for number in range(kills):
            load.wait(chance.randint(0, MOST_ANSWERS))
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


def test_what_was_acknowledged_is_kept_once_and_in_order(server_kills: int, tmp_path: Path) -> None:
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
    assert len(told.acknowledged) > 10 * server_kills
    assert told.heard
    assert told.repeated


@pytest.mark.parametrize("code", [EARLY, FORGETFUL], ids=["early", "forgetful"])
def test_a_planted_bug_is_found(code: str, tmp_path: Path) -> None:
    served = Served(tmp_path, program=(planted(tmp_path, code),))
    load = Load(served.url, TABLES[:1])
    killed(load, served, 1)
    found = faults(rows_of(tmp_path / "tables.db"), load.told)
    assert any("is lost" in fault for fault in found), found
