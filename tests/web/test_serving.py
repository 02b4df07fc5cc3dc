"""`shutbox serve` for hosts: its messages, its addresses, its refusals, and how it stops."""

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from forkserver import Fork
from people import Person, path_of
from serving import PATIENCE, ROOT, Served, free_port, until
from shutbox.cli import serve
from shutbox.engine.errors import NotInstalled, needing
from shutbox.record import folder
from shutbox.solving import cache
from shutbox.web.api.streams import COME_BACK
from shutbox.web.errors import BadRequest
from shutbox.web.server.settings import Settings
from terminal.pipe import piped

SAYS = re.compile(r"The table is at (\S+)\. Ctrl-C stops the server\.")


def has_ipv6() -> bool:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            return False
    return True


@contextmanager
def watched(folder: Path, *options: str) -> Iterator[tuple[Fork, int, str]]:
    """A server at a terminal, the end of it at which a person sits, and what it says there."""
    person, terminal = pty.openpty()
    database = ("--database", f"sqlite:///{folder / 'tables.db'}")
    process = Fork(["serve", *database, *options], os.environ, terminal)
    os.close(terminal)
    try:
        yield process, person, read_until(person, "stops the server.")
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(person)


def read_until(person: int, wanted: str) -> str:
    """What the terminal says, once it says what is wanted, or nothing more."""
    said, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end and wanted not in said:
        if not select.select([person], [], [], 0.1)[0]:
            continue
        try:
            said += os.read(person, 4096).decode()
        except OSError:  # the server has gone
            break
    return said


def check_ready(address: str) -> None:
    assert httpx2.get(f"{address}/ready", timeout=PATIENCE, verify=False).status_code == 200


def refusal(*options: str) -> str:
    """What is said where a server does not start."""
    ended = piped("serve", *options)
    assert (ended.code, ended.out) == (1, b""), ended.refusal
    return ended.refusal


def test_a_person_is_told_the_address_and_sees_no_log(tmp_path: Path) -> None:
    with watched(tmp_path, "--port", str(free_port())) as (server, person, said):
        [address] = SAYS.findall(said)
        check_ready(address)
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 130  # as of whatever Ctrl-C stops
        assert '"event"' not in said + read_until(person, "nothing more")


def test_programs_are_told_one_object_a_line_and_nothing_else(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        served.get("/help", headers={"User-Agent": "a browser"})
        served.get("/r/abc", headers={"X-Forwarded-For": "192.0.2.77"})
        with served.client() as client:  # a control character that terminals act on
            client.get("/new", headers=[(b"User-Agent", b"a\x9bb")])
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    assert lines[0]["event"] == "serving"
    [asked] = [line for line in lines if line.get("route") == "/help"]
    assert asked.items() >= {"method": "GET", "status": 200, "agent": "a browser"}.items()
    assert asked.keys() == {
        *("event", "level", "timestamp", "method", "route", "status", "ms", "agent")
    }
    assert [line["agent"] for line in lines if line.get("route") == "/new"] == ["a?b"]
    assert "192.0.2.77" not in served.log.read_text()
    assert "/r/abc" not in served.log.read_text()


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_all_addresses_are_those_of_ipv4_too_under_their_own_names(tmp_path: Path) -> None:
    port = free_port()
    with watched(tmp_path, "--host", "::", "--port", str(port)) as (_, _, said):
        for address in (*SAYS.findall(said), f"http://[::1]:{port}", f"http://127.0.0.1:{port}"):
            check_ready(address)


def test_the_server_starts_without_extras_that_it_does_not_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It comes as far as the database, of which it is told that it is PostgreSQL."""
    run = (
        "import sys; sys.modules.update(psycopg=None); from shutbox.cli.main import "
        "main; sys.exit(main(['serve', '--database', 'postgresql://nobody@127.0.0.1/none']))"
    )
    source = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", run]
    ended = subprocess.run(command, env=source, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("shutbox: psycopg is not installed; "), ended.stderr
    assert "pip install '.[postgresql]'" in ended.stderr
    # What no extra brings is not said to come with one.
    for module in ("_sqlite3", "shutbox.web.nothing"):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(NotInstalled) as refused, needing("web"):
            import_module(module)
        assert "pip" not in str(refused.value)


def test_addresses_of_proxies_and_of_the_unlimited_are_read_or_refused_in_a_sentence() -> None:
    for proxies in ("", "*", "127.0.0.1,::1", "192.0.2.0/24, 2001:db8::/32"):
        assert Settings(proxies=proxies).proxies == proxies
    for proxies in ("nonsense", "127.0.0.1;::1", "192.0.2.0/99", "127.0.0.1 ::1"):
        with pytest.raises(BadRequest, match=r"is not an address or a network; write 192\.0\.2\.7"):
            Settings(proxies=proxies)
    assert "'192.0.2.0/24' is not an address" in refusal("--unlimited", "192.0.2.0/24")


def test_the_docs_name_every_setting() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    said = piped("serve", "--help").out.decode()
    options = set(re.findall(r"^  (--[a-z-]+)", said, re.MULTILINE))
    assert len(options) > 6
    for option in options:
        assert f"| `{option}` |" in page
    for variable in (serve.DATABASE, folder.VARIABLE, cache.VARIABLE):
        assert f"| `{variable}` |" in page


def test_a_server_that_runs_already_is_named_and_another_name_of_its_file_helps_nobody(
    tmp_path: Path,
) -> None:
    with Served(tmp_path) as served, served.client() as client:
        linked, symbolic = tmp_path / "elsewhere" / "linked.db", tmp_path / "other.db"
        linked.parent.mkdir()
        linked.hardlink_to(tmp_path / "tables.db")
        symbolic.symlink_to(tmp_path / "tables.db")
        # Also where the port is the same: it is not the port that is in the way.
        ports = served.port, free_port(), free_port()
        for file, port in zip((tmp_path / "tables.db", linked, symbolic), ports, strict=True):
            said = refusal("--database", f"sqlite:///{file}", "--port", str(port))
            assert f"a server is already running on {file.resolve()}. Stop it" in said
        third = f"sqlite:///{tmp_path / 'third.db'}"
        said = refusal("--database", third, "--port", str(served.port))
        assert f"port {served.port} is in use" in said
        assert Person(client).played()


LONG = "double-shutter"  # it takes seconds to work out


def test_a_server_that_stops_ends_streams_and_refuses_work_that_waits(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        ann = Person(client)
        opened = ann.open(game=LONG)
        room = opened["view"]["room"]
        ann.step(room, opened["view"]["table"])
        robots = [{"who": "computer:perfect"}, {"who": "computer:first"}]
        ann.open(game=LONG, format="rounds=1,order=seats", seats=robots)
        cookies, process = dict(client.cookies), served.process
        assert process is not None

        def hint(_: int) -> httpx2.Response:
            with served.client(cookies=cookies) as other:
                return other.get(path_of(room, "hint"))

        address = f"{served.url.replace('http', 'ws')}{path_of(room, 'live')}"
        bearer = {"Authorization": f"Bearer {opened['keys']['0']}"}
        with ThreadPoolExecutor(3) as pool, connect(address, additional_headers=bearer) as socket:
            answers = pool.map(hint, range(3))
            time.sleep(2.0)  # one is worked out, and two wait
            process.send_signal(signal.SIGTERM)
            said = [answer.json()["error"]["message"] for answer in answers]
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)  # such as a message about the table's seal
        assert said == ["The server is stopping; try again in 3 seconds."] * 3
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == COME_BACK
        until(lambda: process.poll() is not None)
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    assert [line for line in lines if line["level"] == "error"] == []
