"""`shutbox serve` for hosts: its messages, its addresses, and its refusals."""

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
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import httpx2
import pytest

from forkserver import Fork
from serving import PATIENCE, ROOT, Served, free_port
from shutbox.cli import serve
from shutbox.engine.errors import NotInstalled, needing
from shutbox.record import folder
from shutbox.solving import cache
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
def watched(folder: Path, *options: str) -> Iterator[tuple[Fork, int]]:
    """A server at a terminal, and the end of the terminal at which a person sits."""
    person, terminal = pty.openpty()
    database = ("--database", f"sqlite:///{folder / 'tables.db'}")
    process = Fork(["serve", *database, *options], os.environ, terminal)
    os.close(terminal)
    try:
        yield process, person
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(person)


def read_until(person: int, wanted: re.Pattern[str]) -> re.Match[str]:
    """What the terminal says, once it says what is wanted."""
    said, end = "", time.monotonic() + PATIENCE
    while time.monotonic() < end and not wanted.search(said):
        if not select.select([person], [], [], 0.1)[0]:
            continue
        try:
            said += os.read(person, 4096).decode()
        except OSError:  # the server has gone
            break
    found = wanted.search(said)
    assert found is not None, said
    return found


def refusal(*options: str) -> str:
    """What is said where a server does not start."""
    ended = piped("serve", *options)
    assert (ended.code, ended.out) == (1, b""), ended.refusal
    return ended.refusal


def test_a_person_is_told_the_address_and_sees_no_log(tmp_path: Path) -> None:
    with watched(tmp_path, "--port", str(free_port())) as (server, person):
        told = read_until(person, SAYS)
        assert httpx2.get(f"{told[1]}/ready", timeout=PATIENCE, verify=False).status_code == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 130  # as of whatever Ctrl-C stops
        with pytest.raises(AssertionError) as rest:
            read_until(person, re.compile("nothing more"))
        assert '"event"' not in told.string + str(rest.value)


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
    with watched(tmp_path, "--host", "::", "--port", str(port)) as (_, person):
        told = read_until(person, SAYS)[1]
        for address in (told, f"http://[::1]:{port}", f"http://127.0.0.1:{port}"):
            assert httpx2.get(f"{address}/ready", timeout=PATIENCE, verify=False).status_code == 200


def test_the_server_starts_without_extras_that_it_does_not_need(tmp_path: Path) -> None:
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


def test_a_server_that_runs_already_is_named(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        file = tmp_path / "tables.db"
        # Also where the port is the same: it is not the port that is in the way.
        for port in (served.port, free_port()):
            said = refusal("--database", served.database, "--port", str(port))
            assert f"a server is already running on {file}. Stop it" in said
        other = f"sqlite:///{tmp_path / 'other.db'}"
        said = refusal("--database", other, "--port", str(served.port))
        assert f"port {served.port} is in use" in said


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


def test_what_is_missing_is_named_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What is not ours is named, and what no extra brings is not said to come with one.
    monkeypatch.setitem(sys.modules, "kiwisolver", None)
    with (
        pytest.raises(NotInstalled, match=r"kiwisolver is not installed; .*\[plot\]"),
        needing("plot"),
    ):
        import_module("kiwisolver")
    for module in ("_sqlite3", "shutbox.web.nothing"):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(NotInstalled) as refused, needing("web"):
            import_module(module)
        assert "pip" not in str(refused.value)
