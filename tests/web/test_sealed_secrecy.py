"""The seed of a game that is not over is nowhere: not in an answer, a stream, a log or a record."""

import base64
import random
from unittest.mock import AsyncMock, Mock

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from in_process import beside, client_of
from people import Person
from sealed import spellings
from shutbox.engine.cups import SealedCup
from shutbox.engine.errors import ShutboxError
from shutbox.web import admin, limits
from shutbox.web.live import room_dice
from shutbox.web.rooms import commands
from shutbox.web.rooms.changes import RoomChange
from shutbox.web.rooms.sealing import new_envelope
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import seeds

GAMES = ("classic", "two-dice", "tray(dice=3d8)", "cargo", "double-shutter", "six")
PAGES = ("/", "/dice", "/games", "/games/export", "/ready", "/today", "/help")
OF_ROOM = ("", "/dice", "/hint", "/verdict", "/record", "/review")
OF_API = ("", "/hint", "/verdict", "/record", "/review", "/challenge")


class Spy:
    """Everything that comes out of a server."""

    def __init__(self, server: Server, first: TestClient) -> None:
        self.server = server
        self.heard: list[bytes] = []
        self.client = beside(first, raise_server_exceptions=False)
        real = self.client.request

        def request(*about: object, **more: object) -> object:
            reply = real(*about, **more)  # type: ignore[arg-type]
            self.heard.append(reply.content + repr(reply.headers).encode())
            return reply

        self.client.request = request  # type: ignore[method-assign, assignment]
        self.person = Person(self.client)
        self.stranger = beside(first)

    def looks(self, room: str) -> None:
        """Ask for everything that a player and the host can ask for."""
        for path in PAGES:
            self.client.get(path)
        for prefix, paths in ((f"/r/{room}", OF_ROOM), (f"/api/rooms/{room}", OF_API)):
            for path in paths:
                self.client.get(prefix + path)
        for path in (f"/r/{room}", f"/r/{room}/qr"):  # what a stranger and a preview get
            self.heard.append(self.stranger.get(path).content)
        live = self.server.rooms.loaded_room(room)
        assert live is not None
        self.heard += [message for _, _, message, _ in live.messages]
        self.heard += [live.picture(), repr(vars(live.room)).encode()]
        self.heard += [record for _, record in admin.games(self.server.database, room)]

    def seed_of(self, room: str) -> bytes:
        rows = self.server.database.rows(select(seeds.c.seed).where(seeds.c.room == room))
        return bytes.fromhex(rows[-1].seed)


def check_secret(seed: bytes, heard: list[bytes]) -> None:
    """Check that no way to write a seed is in anything that was heard."""
    everything = b"\n".join(heard)
    assert len(everything) > 10_000
    for way in spellings(seed):
        assert way not in everything
    # The test would see it.
    planted = base64.b64encode(b"ab" + seed + b"cd")
    assert any(way in planted for way in spellings(seed))


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.nightly("secrecy"))])
def test_a_closed_envelope_is_nowhere(
    server: Server,
    many: bool,
    pytestconfig: pytest.Config,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level("DEBUG")
    chance = random.Random("secrecy")
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 10_000.0)
    monkeypatch.setattr(room_dice, "open_envelope", AsyncMock())  # nothing is opened yet
    with client_of(server) as first:
        spy = Spy(server, first)
        for number in range(pytestconfig.getoption("--secret-games") if many else 4):
            spy.heard.clear()
            seats = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest", "name": "Bo"}]
            game = "pub" if number % 4 == 3 else GAMES[number % len(GAMES)]
            more = {"seats": seats} if game == "pub" else {}
            room = spy.person.open(game=game, **more)["view"]["room"]
            spy.looks(room)
            for _ in range(chance.randrange(1, 40)):
                table = spy.person.table(room)
                if table["does"] != "over" and table["seat"] == 0:
                    spy.person.step(room, table, chance)
            for error in (RuntimeError("a bug"), ShutboxError("a refusal")):
                with monkeypatch.context() as patch:  # a throw breaks in the middle
                    patch.setattr(commands, "_move_events", Mock(side_effect=error))
                    spy.person.act(room, spy.person.table(room), "throw", seat=0)
            spy.looks(room)
            out = capfd.readouterr()
            spy.heard += [out.out.encode(), out.err.encode(), caplog.text.encode()]
            caplog.clear()
            check_secret(spy.seed_of(room), spy.heard)


def test_a_change_and_a_cup_do_not_print_the_seed() -> None:
    envelope, (gid, digits) = new_envelope()
    change, seed = RoomChange((envelope,), seed=(gid, digits)), bytes.fromhex(digits)
    cup = SealedCup(bytes(16), seed, bytes(32))
    for way in spellings(seed):
        assert way.decode("latin-1") not in f"{envelope!r} {change!r} {cup!r} {change} {cup}"
