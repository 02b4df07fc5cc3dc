"""A server that runs while another release is installed."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from kill_server.postgres import fresh_database
from people import Person
from serving import PATIENCE, ROOT, Served
from shutbox.web import limits

START = """
import sys
sys.path.insert(0, {folder!r})
sys.argv = ["shutbox", "serve", *sys.argv[1:]]
from shutbox.cli.main import main
sys.exit(main())
"""
PAGES = ("/", "/new?game=classic", "/help", "/r/nowhere", "/review")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that may be changed."""
    return Path(shutil.copytree(ROOT / "src" / "shutbox", tmp_path / "lib" / "shutbox"))


@pytest.fixture
def served(package: Path, tmp_path: Path) -> Iterator[Served]:
    """A server of that copy."""
    with Served(tmp_path, program=program_of(package)) as running:
        yield running


def program_of(package: Path) -> tuple[str]:
    script = package.parent / "start.py"
    script.write_text(START.format(folder=str(package.parent)))
    return (str(script),)


def without_ids(text: str) -> str:
    """A page without what is another at each look."""
    return re.sub(r"[\w-]{16,}", "", text)


@pytest.mark.slow
def test_a_process_goes_on_with_what_it_was_started_with(package: Path, served: Served) -> None:
    with served.client() as client:
        ann = Person(client)
        opened = ann.open(game="classic", coach=True)
        room, table = opened["view"]["room"], opened["view"]["table"]
        table = ann.step(room, table)
        asked = {*PAGES, f"/r/{room}"}
        asked |= {
            file for page in PAGES for file in re.findall(r"/static/[^\"]+", client.get(page).text)
        }
        for _ in range(limits.WORKERS):  # each of them is started
            hint = ann.get(f"/api/rooms/{room}/hint").json()
        before = {path: without_ids(client.get(path).text) for path in asked}
        for file in package.rglob("*"):
            if file.is_file():
                new = "raise RuntimeError('another release')\n" if file.suffix == ".py" else "new"
                file.write_text(new)
        after = {path: client.get(path) for path in asked}
        assert {path: without_ids(answer.text) for path, answer in after.items()} == before
        for path, answer in after.items():
            assert "?v=" not in path or "immutable" in answer.headers["cache-control"]
        # The workers that run are of the same release; others cannot be had.
        assert ann.get(f"/api/rooms/{room}/hint").json() == hint
        robots = [{"who": "me"}, {"who": "computer:perfect"}, {"who": "computer:sheet"}]
        opened = ann.open(game="classic", seats=robots, format="rounds=1")
        for _ in range(4):
            ann.post(f"/api/rooms/{opened['view']['room']}/leave", seat=0)
        while (table := ann.step(room, table))["does"] != "over":
            pass
        record = ann.get(f"/api/rooms/{room}/record")
        assert record.status_code == 200, record.text
    assert "another release" not in served.log.read_text()


@pytest.mark.slow
def test_a_worker_of_another_release_is_not_understood(package: Path, served: Served) -> None:
    with served.client() as client:
        ann = Person(client)
        opened = ann.open(game="classic")
        room = opened["view"]["room"]
        ann.step(room, opened["view"]["table"])
        module = package / "stats.py"
        found = module.stat()
        os.utime(module, ns=(found.st_atime_ns, found.st_mtime_ns + 10**9))
        answer = ann.get(f"/api/rooms/{room}/hint")
        assert answer.json()["error"]["message"] == (
            "The server is being upgraded; come back in a moment."
        )
        os.utime(module, ns=(found.st_atime_ns, found.st_mtime_ns))
        assert ann.get(f"/api/rooms/{room}/hint").status_code == 200


LATER = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "{next}", "{newest}"


def upgrade() -> None:
    op.add_column("entries", sa.Column("mood", sa.Text))
"""


@pytest.mark.slow
def test_two_releases_serve_the_same_tables_for_a_while(package: Path, tmp_path: Path) -> None:
    newer = Path(shutil.copytree(package, tmp_path / "newer" / "shutbox"))
    versions = newer / "web" / "storage" / "migrations" / "versions"
    newest = max(path.name for path in versions.glob("0*.py"))[:4]
    later = LATER.format(newest=newest, next=f"{int(newest) + 1:04}")
    (versions / "9999_mood.py").write_text(later)
    kinds = newer / "web" / "rooms" / "events.py"
    old = '"leave": Left,'
    kinds.write_text(kinds.read_text().replace(old, f'{old} "depart": Left,'))
    with fresh_database() as url, ExitStack() as all:
        first, second = (
            all.enter_context(Served(tmp_path, database=url, program=program_of(package)))
            for _ in range(2)
        )
        here, there = (Person(all.enter_context(each.client())) for each in (first, second))
        opened = here.open(game="classic")
        there.client.cookies = here.client.cookies
        room = opened["view"]["room"]
        table = there.step(room, there.table(room))
        second._program = program_of(newer)
        second.restart()
        for number in range(6):  # by either in turn, also what the other has just done
            if table["does"] != "over":
                table = (here, there)[number % 2].step(room, table)
        assert there.post(f"/api/rooms/{room}/leave", seat=0).status_code == 200
        end = time.monotonic() + PATIENCE  # until it has been told
        while (refused := here.get(f"/api/rooms/{room}")).status_code == 200:
            assert time.monotonic() < end, "it goes on as if nothing had happened"
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "newer")
        assert here.open(game="classic")["view"]["number"]
        assert here.get("/games").status_code == 200
        first._program = program_of(newer)
        first.restart()
        seen = [who.get(f"/api/rooms/{room}").json()["view"] for who in (here, there)]
        assert seen[0] == seen[1]
        assert seen[0]["table"]["version"] == table["version"]


UNSEALED = "641e93f"
"""The commit of the last release without sealed dice."""


@pytest.fixture
def unsealed(tmp_path: Path) -> Path:
    """The package of the release before sealed dice, from the history of the repository."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed: the release before sealed dice cannot be read")
    command = ("git", "-C", str(ROOT), "archive", "--format=zip", UNSEALED, "src/shutbox")
    found = subprocess.run(command, capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"{ROOT} has no history with {UNSEALED}, the release before sealed dice")
    with ZipFile(BytesIO(found.stdout)) as files:
        files.extractall(tmp_path / "unsealed")
    return tmp_path / "unsealed" / "src" / "shutbox"


@pytest.mark.slow
def test_the_release_before_never_throws_at_a_sealed_table(
    unsealed: Path, package: Path, tmp_path: Path
) -> None:
    """Both serve from one database, where the older one knows neither the events nor the seeds."""
    with fresh_database() as url, ExitStack() as all:
        old, new = (
            all.enter_context(Served(tmp_path, database=url, program=program_of(one)))
            for one in (unsealed, package)
        )
        here, there = (Person(all.enter_context(each.client())) for each in (new, old))
        room = here.open(game="classic")["view"]["room"]
        there.client.cookies = here.client.cookies
        table = here.table(room)
        for _ in range(4):  # before the first throw, and after each of some events
            asked = (
                there.get(f"/api/rooms/{room}"),
                there.get(f"/api/rooms/{room}/record"),
                there.act(room, table, "throw"),
                there.act(room, table, "choose", choice="1"),
                there.post(f"/api/rooms/{room}/rematch", game=1),
            )
            assert {(one.status_code, one.json()["error"]["code"]) for one in asked} == {
                (503, "newer")
            }
            assert here.table(room)["version"] == table["version"]
            if table["does"] != "over":
                table = here.step(room, table)
        assert here.get(f"/api/rooms/{room}").json()["view"]["seal"]["state"] in ("sealed", "open")
        # A table of the older one has no seal, and both play on there.
        plain = there.open(game="classic")["view"]["room"]
        table = there.step(plain, there.table(plain))
        assert here.get(f"/api/rooms/{plain}").json()["view"]["seal"] is None
        here.step(plain, table)
        # Started after the upgrade, the older one does not serve at all.
        with pytest.raises(AssertionError, match="newer"):
            old.restart()
