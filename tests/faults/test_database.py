"""PostgreSQL is stopped during a game and comes back ten seconds later."""

import time
from pathlib import Path

import pytest

from faults.checks import check_load, ready, until_ready
from faults.own_postgres import cluster
from kill_server.load import Load
from kill_server.postgres import rows_of
from serving import Served, running

AWAY_SECONDS = 10.0


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_a_database_that_comes_back_is_played_on(how: str, tmp_path: Path) -> None:
    with cluster() as database:
        two = [Served(tmp_path, database=database.url) for _ in range(2)]
        load = Load([each.url for each in two])
        with running(two), load.playing():
            load.wait(60)
            database.stop(how)
            end = time.monotonic() + AWAY_SECONDS
            for each in two:
                until_ready([each], (503, "no database\n"))
                page = each.get("/r/nowhere")
                assert page.status_code == 503
                assert "the database does not answer" in page.text.lower()
                assert each.get("/health").text == "alive\n"
            told = len(load.told.acknowledged)
            while time.monotonic() < end:
                assert {ready(each)[0] for each in two} == {503}
                time.sleep(0.5)
            assert len(load.told.acknowledged) == told
            assert load.told.not_now
            database.start()
            seconds = until_ready(two)
            heard = len(load.told.heard)
            load.wait(60)
        print(f"{how}: ready again after {seconds:.1f} s; {len(load.told.acknowledged)} actions")
        check_load(load, rows_of(database.url))
        assert len(load.told.heard) > heard
    for each in two:
        assert "broken" not in each.log.read_text()
