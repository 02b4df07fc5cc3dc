"""PostgreSQL is stopped during a game and comes back ten seconds later."""

import time
from pathlib import Path

import pytest

from faults.checks import check_load, ready, until_ready
from faults.own_postgres import cluster
from kill_server.load import Load
from kill_server.postgres import rows_of
from serving import Served

AWAY_SECONDS = 10.0


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_database_that_comes_back_is_played_on(how: str, tmp_path: Path) -> None:
    with cluster() as database:
        served = Served(tmp_path, database=database.url)
        load = Load(served.url)
        with served, load.playing():
            load.wait(60)
            database.stop(how)
            end = time.monotonic() + AWAY_SECONDS
            until_ready([served], (503, "no database\n"))
            page = served.get("/r/anywhere")
            assert page.status_code == 503
            assert "the database does not answer" in page.text.lower()
            assert served.get("/health").text == "alive\n"
            told = len(load.told.acknowledged)
            while time.monotonic() < end:
                assert ready(served)[0] == 503
                time.sleep(0.5)
            assert len(load.told.acknowledged) == told
            assert load.told.not_now
            database.start()
            seconds = until_ready([served])
            heard = len(load.told.heard)
            load.wait(60)
        print(f"{how}: ready again after {seconds:.1f} s; {len(load.told.acknowledged)} actions")
        check_load(load, rows_of(database.url))
        assert len(load.told.heard) > heard
    assert "broken" not in served.log.read_text()
