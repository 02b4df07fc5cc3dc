"""A room and the people around it, for tests that are told in steps; see `test_wisdom.py`.

Addresses, classes and faults of the server are named here and not in the steps.
"""

import asyncio
import json
import re
import shlex
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from threading import Event
from typing import Any
from unittest.mock import ANY

import httpx2
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient, WebSocketTestSession

from in_process import HERE, beside
from people import Person, cookies_of, scope_of
from sealed import verify_dice
from serving import PATIENCE, until
from shutbox.web import limits
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api import streams
from shutbox.web.errors import Broken
from shutbox.web.http import requests
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.room_dice import open_due_envelopes
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage import group_commit
from shutbox.web.storage.database import Write

PLACES = {action.name: (action.method, action.path) for action in ACTIONS}
ACTS = ("throw", "choose", "take-back", "correct")
LASTING = ("number", "said", "brief", "move", "coach", "coach_figures", "seat", "key")
"""The parts of a reply that a retry gets again."""
_numbers = count(1)


@dataclass
class Sent:
    """A request of a person, and the reply."""

    method: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    flags: set[str]
    reply: httpx2.Response | None = None


def value_of(text: str) -> Any:
    """Return a value as JSON, or else as text."""
    with suppress(ValueError):
        return json.loads(text)
    return text


def at(found: Any, path: str) -> Any:
    """Return the part of a reply at a path such as `view.seats.1.name`."""
    for part in path.split("."):
        found = found[int(part) if isinstance(found, list) else part]
    return found


def essence(reply: httpx2.Response) -> dict[str, Any]:
    """Return the parts of a reply that a retry gets again; of a new room, its id."""
    found = reply.json()
    if "keys" in found:
        return {"room": found["view"]["room"]}
    return {name: found[name] for name in LASTING if name in found}


class World:
    """A room at a server in this process, the people around it, and the faults that meet it."""

    def __init__(self, server: Server, first: TestClient, patch: pytest.MonkeyPatch) -> None:
        self.server, self.first, self.patch = server, first, patch
        self.room, self.link, self.address = "", "", HERE  # which is not limited
        self.keys: dict[str, str] = {}
        self.people: dict[str, Person] = {}
        self.seen: dict[str, dict[str, Any]] = {}  # the table as each person saw it last
        self.sent: dict[str, Sent] = {}  # by person, the last; by person-action, the first
        self.streams: dict[str, WebSocketTestSession] = {}
        self.exits = ExitStack()
        self.chance = Random("dice that people type")
        self.waiting = 0  # writes that are held
        self.going = asyncio.Event()  # computer players go on
        self.waited = False  # whether anybody has waited for a worker that sleeps

    def run(self, steps: Sequence[str]) -> None:
        with self.exits:
            for step in steps:
                try:
                    self.together(step.split(" & ")) if " & " in step else self.ready(step)()
                except (AssertionError, LookupError, TypeError, TimeoutError) as error:
                    raise AssertionError(f"{step}: {error}") from error
        assert not self.waited

    def call(self, work: Callable[..., Any], *about: Any) -> Any:
        assert self.first.portal is not None
        return self.first.portal.call(work, *about)

    def together(self, lines: Sequence[str]) -> None:
        """Let steps arrive in this order before any of them is done."""
        steps = [self.ready(line) for line in lines]
        live = self.server.rooms.loaded_room(self.room)
        lock = live.lock if live else asyncio.Lock()
        self.hold_writes()
        self.call(lock.acquire)
        with ThreadPoolExecutor(len(steps)) as pool:
            done: list[Future[Any]] = []
            for step in steps:
                before = self.queued(lock)
                done.append(pool.submit(step))
                until(partial(self.has_come, done[-1], lock, before))
            self.call(lock.release)
            self.release_writes()
        replies = [one.result() for one in done]
        assert len({one.json()["view"]["room"] for one in replies if is_opening(one)}) < 2

    def has_come(self, step: Future[Any], lock: asyncio.Lock, before: int) -> bool:
        return step.done() or self.queued(lock) > before

    def queued(self, lock: asyncio.Lock) -> int:
        return self.waiting + len(getattr(lock, "_waiters", None) or ())

    def hold_writes(self) -> None:
        store, gate = self.server.log.write, asyncio.Event()

        async def held(*writes: Write, room: str = "") -> None:
            self.waiting += 1
            await gate.wait()
            await store(*writes, room=room)

        self.waiting, self.gate, self.store = 0, gate, store
        self.server.log.write = held

    def release_writes(self) -> None:
        self.server.log.write, self.waiting = self.store, 0
        self.call(self.gate.set)

    def ready(self, line: str) -> Callable[[], Any]:
        """Return a step that is ready to be done: what a person sees before is seen now."""
        subject, verb, *words = shlex.split(line)
        if fault := getattr(self, f"{subject}_faults", None):
            return lambda: fault(verb, *words)
        if (told := getattr(self, f"who_{verb.replace('-', '_')}", None)) is not None:
            return lambda: told(subject, *words)
        wanted = next((word[1:] for word in words if word[0] == "!"), "")
        if verb == "again":
            return lambda: self.resend(subject, self.sent[subject], wanted)
        if verb == "repeats":
            return lambda: self.resend(subject, self.sent[words[0]], wanted)
        sent = self.request(subject, verb, [word for word in words if word and word[0] != "!"])
        if "goes" in sent.flags:
            return lambda: self.cut(subject, sent)
        return lambda: self.send(subject, verb, sent, wanted)

    # People, who act

    def person(self, name: str) -> Person:
        if name not in self.people:
            self.people[name] = Person(beside(self.first, self.address))
        return self.people[name]

    def look(self, who: str, by: str = "") -> Any:
        """Return the room as a person sees it, and remember the table."""
        found = self.ask(who, "room", headers=self.bearer(by)).json()
        self.seen[who] = found["view"]["table"] if "view" in found else {}
        return found

    def ask(self, who: str, action: str, **options: Any) -> httpx2.Response:
        return self.person(who).get(PLACES[action][1].format(room=self.room), **options)

    def bearer(self, by: str) -> dict[str, str]:
        """Return the header with some keys: labels with commas between them, or other texts."""
        keys = [self.keys.get(label, label) for label in by.split(",")]
        return {"Authorization": f"Bearer {','.join(keys)}"} if by else {}

    def request(self, who: str, verb: str, words: Sequence[str]) -> Sent:
        """Return the request for an action, with what is usual left to fill in."""
        flags = {"old", "twice", "goes", "another", "same"}.intersection(words)
        named = dict(word.split("=", 1) for word in words if "=" in word)
        plain = [w for w in words if "=" not in w and w[0] != "#" and w not in flags]
        id = next((word[1:] for word in words if word[0] == "#"), f"wisdom-{next(_numbers):06}")
        by, about = named.pop("by", ""), {name: value_of(text) for name, text in named.items()}
        body: dict[str, Any] = {"action": id}
        action = "act" if verb in ACTS else verb
        if verb == "open":
            action, body = "open-room", body | room_of(about)
        elif verb in ACTS:
            if "old" not in flags:
                self.look(who, by)
            body |= move(verb, self.seen[who], plain, about)
        elif verb == "enter":
            body |= {"key": self.keys.get(plain[0], plain[0]), "name": None, **about}
        elif verb == "rematch":
            body |= {"game": self.look(who)["view"]["table"]["game"], **about}
        elif verb == "word":
            found = self.look(who)
            body |= {"gid": found["view"]["seal"]["gid"], "seat": found["you"]["seats"][0]}
            body |= {"word": plain[0], **about}
        elif plain:
            body |= {"seat": int(plain[0]), **about}
        method, path = PLACES[action]
        return Sent(method, path.format(room=self.room), body, self.bearer(by), flags)

    def post(self, who: str, sent: Sent) -> httpx2.Response:
        client = self.person(who).client
        if sent.method == "GET":
            return client.get(sent.path, headers=sent.headers)
        return client.post(sent.path, json=sent.body, headers=sent.headers)

    def send(self, who: str, verb: str, sent: Sent, wanted: str = "") -> httpx2.Response:
        self.sent[who] = sent
        self.sent.setdefault(f"{who}-{verb}", sent)
        reply = self.post(who, sent)
        check(reply, wanted)
        if wanted:
            return reply
        sent.reply = reply
        if "twice" in sent.flags:
            number = self.look(who)["view"]["number"]
            self.resend(who, sent)
            self.forget()
            self.resend(who, sent)
            assert self.look(who)["view"]["number"] == number
        self.note(who, verb, sent, reply.json())
        return reply

    def note(self, who: str, verb: str, sent: Sent, found: dict[str, Any]) -> None:
        """Note the room that was opened, and the keys that were given."""
        if verb in ("open", "play-today"):
            room = found["view"]["room"]
            assert "another" not in sent.flags or room != self.room
            assert "same" not in sent.flags or room == self.room
            if "another" not in sent.flags:
                self.room, self.keys = room, dict(found["keys"])
                self.keys["join"] = key_of(found["you"]["links"]["join"])
        elif verb == "enter":
            self.keys[who] = found["key"]
        elif verb == "renew":
            links, seat = found["you"]["links"], str(sent.body["seat"])
            link = links["seats"].get(seat) if seat != "-1" else links["watch"]
            self.keys[seat] = self.keys["new"] = key_of(link)
            self.keys["new-join"] = key_of(links["join"]) or self.keys.get("new-join", "")

    def resend(self, who: str, sent: Sent, wanted: str = "") -> httpx2.Response:
        """Send a request again, and get the reply of before, if there was one."""
        self.sent[who] = sent
        reply = self.post(who, sent)
        check(reply, wanted)
        if not wanted and sent.reply is not None:
            assert essence(reply) == essence(sent.reply)
            sent.reply = reply
        return reply

    def cut(self, who: str, sent: Sent) -> None:
        """Send a request, and go away while it is stored."""
        headers = {**cookies_of(self.person(who).client), "content-type": "application/json"}
        self.sent[who], scope = sent, scope_of(sent.path, headers, sent.method)
        body = {"type": "http.request", "body": json.dumps(sent.body).encode()}

        async def receive() -> dict[str, Any]:
            return body

        async def nothing(message: Any) -> None:
            raise AssertionError("it is answered before it is stored")

        write, begun, goes_on = self.server.database.write, Event(), Event()

        def slow(*writes: Write) -> None:
            begun.set()
            assert goes_on.wait(PATIENCE)
            write(*writes)

        self.patch.setattr(self.server.database, "write", slow)
        assert self.first.portal is not None
        request = self.first.portal.start_task_soon(self.first.app, scope, receive, nothing)
        assert begun.wait(PATIENCE)
        request.cancel()
        goes_on.set()

    # People, who look

    def who_looks(self, who: str) -> None:
        self.look(who)

    def who_sees(self, who: str, path: str, *words: str) -> None:
        by = "".join(word.removeprefix("by=") for word in words if word.startswith("by="))
        if path[0] == "!":
            check(self.ask(who, "room", headers=self.bearer(by)), path[1:])
            return
        found = at(self.look(who, by), path)
        assert found == value_of(words[0]), found

    def who_never_sees(self, who: str, word: str) -> None:
        assert word not in self.ask(who, "room").text

    def who_reads(self, who: str, action: str, path: str, value: str) -> None:
        reply = self.ask(who, action)
        check(reply, "")
        found = at(reply.json(), path)
        assert found in (value, value_of(value)), found

    def who_hands_on(self, who: str, *seats: str) -> None:
        assert {*self.look(who)["you"]["links"]["seats"]} == {*seats}

    def who_waits(self, who: str, _: str, path: str, value: str) -> None:
        until(lambda: at(self.look(who), path) == value_of(value))

    def who_counts(self, who: str, number: str) -> None:
        found = self.look(who)["view"]["number"]
        assert found == int(number), found

    def who_holds(self, who: str, *keys: str) -> None:
        reply = self.sent[who].reply
        assert reply is not None
        assert {*reply.json()["keys"]} == {*keys}, reply.json()["keys"].keys()

    def who_got(self, who: str, path: str, value: str) -> None:
        reply = self.sent[who].reply
        assert reply is not None
        assert at(reply.json(), path) == value_of(value), reply.json()

    def who_forgets(self, who: str, *_: str) -> None:
        self.person(who).client.cookies.clear()

    def who_plays_on(self, *people: str) -> None:
        """Play to the end together, and let computer players have their turns."""
        end = time.monotonic() + PATIENCE
        while (table := self.look(people[0])["view"]["table"])["does"] != "over":
            assert time.monotonic() < end
            for who in people:
                self.play_once(who, table)

    def play_once(self, who: str, table: dict[str, Any]) -> None:
        """Make the move that is due at a table, if it is this person's."""
        found = self.look(who)
        mine = [*found["you"]["seats"], *found["you"]["may"]["throw_for"]]
        if table["does"] == "throw" and table["seat"] in mine:
            dice = range(sum(piece["kind"] == "die" for piece in table["pieces"]))
            roll = "+".join(str(self.chance.randint(1, 6)) for _ in dice)
            typed = {"roll": roll} if found["view"]["settings"]["dice"] == "hand" else {}
            assert self.person(who).act(self.room, table, "throw", **typed).status_code == 200
        elif table["seat"] in found["you"]["seats"]:
            self.person(who).step(self.room, table)

    def who_shuts_the_box(self, who: str) -> None:
        """Play a game that ends with a choice: one tile is up, and one die shows it in the end."""
        while True:
            self.ready(f"{who} open position='\"1\"'")()
            self.who_plays_on(who)
            if self.look(who)["log"][-1]["kind"] == "choose":
                break

    def who_record(self, who: str, game: str, often: str, word: str) -> None:
        """The record of a game has one line that begins with this word, or never says it."""
        text = self.ask(who, "record", params={"game": game}).text
        begun = sum(line.startswith(f"{word} ") for line in text.splitlines())
        assert word not in text if often == "never" else begun == 1

    def who_checks_dice(self, who: str, *words: str) -> None:
        """The envelope is opened, and the verifier finds the dice right, with a seat's word."""
        self.time_faults("TAKE_BACK_SECONDS")
        self.envelopes_faults("open")
        envelope = self.look(who)["view"]["seal"]["envelope"]
        record = self.ask(who, "record").text
        ticket = f'{envelope} {words[0]} "{words[1]}"' if words else envelope
        assert verify_dice.problems(record, ticket) == []

    def who_renews(self, who: str, seat: str, *words: str) -> None:
        """Renew a link while the seats of another device are being read."""
        other, log = words[1], self.server.log
        device, seats_of = hashed(self.person(other).client.cookies["device"]), log.seats_of
        reading, renewed = Event(), Event()

        async def slow(room: str, of: str) -> frozenset[int]:
            found = await seats_of(room, of)
            if of == device:
                reading.set()
                assert await asyncio.to_thread(renewed.wait, PATIENCE)
            return found

        self.patch.setattr(log, "seats_of", slow)
        for live in self.server.rooms.loaded_rooms:
            live.forget_devices()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(self.ask, other, "room")
            assert reading.wait(PATIENCE)
            self.ready(f"{who} renew {seat}")()
            renewed.set()

    # People, who listen

    def who_listens(self, who: str, *words: str) -> None:
        since = next((word for word in words if word.startswith("since=")), "")
        path = f"{PLACES['room'][1].format(room=self.room)}/live?{since}"
        client: Any = self.person(who).client
        stream = self.streams[who] = client.websocket_connect(path)
        stream.__enter__()
        self.exits.callback(leave, stream)
        if words and words[0][0] == "!":
            closed = {"type": "websocket.close", "code": int(words[0][1:]), "reason": ANY}
            assert self.hear(who) == closed

    def hear(self, who: str) -> Any:
        """Return what comes next on a stream. Raises TimeoutError if nothing comes."""

        async def comes() -> Any:
            return await asyncio.wait_for(self.streams[who]._send_rx.receive(), PATIENCE)

        return self.call(comes)

    def who_leaves_stream(self, who: str) -> None:
        leave(self.streams[who])
        until(lambda: not any(live.listeners for live in self.server.rooms.loaded_rooms))

    def who_hears(self, who: str, *wanted: str) -> None:
        """Each word is the number of an event, picture-NUMBER, end-CODE, or a kind to wait for."""
        for word in wanted:
            while True:
                message = self.hear(who)
                if message["type"] == "websocket.close":
                    heard = f"end-{message['code']}"
                else:
                    told = json.loads(message["text"])
                    heard = f"{told['type']}-{told.get('number')}".removeprefix("event-")
                    kind = told.get("happened", {}).get("kind")
                    if kind == word:
                        break
                if heard == word:
                    break
                skips = word.startswith("end-") or word.isalpha() or heard.startswith("watching")
                assert skips, heard

    # People, who bring a second device

    def who_makes_link(self, who: str) -> None:
        page = self.person(who).client.post("/games/link", data={}).text
        [self.link] = re.findall(r"/games/take#([\w-]+)\"", page)[:1]

    def who_looks_at_link(self, who: str) -> None:
        assert self.person(who).get("/games/take").status_code == 200

    def who_takes_link(self, who: str, status: str) -> httpx2.Response:
        answer = self.person(who).send_form("/games/take", {"key": self.link})
        assert answer.status_code == int(status)
        return answer

    def who_deletes_data(self, who: str) -> None:
        assert self.person(who).client.post("/games/delete", data={}).status_code == 200

    # Faults

    def limit_faults(self, name: str, most: str) -> None:
        """Set a limit, which this row alone reaches: its people have an address of their own."""
        self.address = f"2001:db8:{next(_numbers):x}::1"
        for module in (limits, group_commit, requests, streams):
            if name in vars(module):
                self.patch.setattr(module, name, value_of(most))

    def time_faults(self, seconds: str, *_: str) -> None:
        """Let so many seconds pass, or those of a limit; from now on time stands between steps."""
        now = self.server.rooms.now() + float(vars(limits).get(seconds, seconds))
        self.patch.setattr(self.server.rooms, "now", lambda: now)

    def disk_faults(self, how: str) -> None:
        def full(*writes: object) -> None:
            raise OSError("no space left on device")

        if how == "full":
            self.patch.setattr(self.server.database, "write", full)
        else:
            self.patch.delattr(self.server.database, "write")

    def forget(self) -> None:
        """Let the room go from memory, as after a restart."""
        self.server.rooms._loaded.pop(self.room, None)

    def server_faults(self, how: str, *words: str) -> None:
        if how == "forgets":
            before = self.look(words[1])
            self.forget()
            assert self.look(words[1]) == before
            return
        store = self.server.log.write

        async def dies(*writes: Write, room: str = "") -> None:
            await store(*writes, room=room)
            self.server.log.write = store
            self.forget()
            raise ConnectionError("the server stops")

        self.server.log.write = dies

    def computers_faults(self, how: str) -> None:
        if how == "go":
            self.call(self.going.set)
            return
        going, turn = self.going, BotRunner._wait_for_turn

        async def stopped(runner: BotRunner, live: LiveRoom) -> None:
            await going.wait()
            await turn(runner, live)

        self.patch.setattr(BotRunner, "_wait_for_turn", stopped)

    def workers_faults(self, how: str) -> None:
        async def do(*about: Any, **options: Any) -> None:
            if how == "fail":
                raise Broken("Traceback of a worker")
            await asyncio.sleep(20)
            self.waited = True

        self.patch.setattr(self.server.pool, "do", do)

    def envelopes_faults(self, how: str) -> None:
        self.server.rooms.unopened &= {self.room}
        self.call(open_due_envelopes, self.server.rooms)

    def room_faults(self, how: str) -> None:
        live = self.server.rooms.loaded_room(self.room)
        assert live is not None
        if how == "busy":
            self.call(live.lock.acquire)
        else:
            self.call(live.lock.release)

    def database_faults(self, how: str, *words: str) -> None:
        says = {
            "damaged": "UPDATE rooms SET length = length + 1 WHERE id = :room",
            "mended": "UPDATE rooms SET length = length - 1 WHERE id = :room",
            "loses-the-seed": "UPDATE seeds SET seed = 'ff' || substr(seed, 3) WHERE room = :room",
            "put-back": "DELETE FROM events WHERE room = :room AND number > :last",
        }
        last = "SELECT seal FROM events WHERE room = :room AND number = :last"
        about = {"room": self.room, "last": int(words[0]) if words else 0}
        writes = [text(says[how]).bindparams(**bound(says[how], about))]
        if how == "put-back":
            ends = f"UPDATE rooms SET length = :last, seal = ({last}) WHERE id = :room"
            writes.append(text(ends).bindparams(**about))
        self.server.database.write(*writes)
        if how in ("damaged", "mended"):
            self.forget()


def bound(says: str, about: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in about.items() if f":{name}" in says}


def key_of(link: str | None) -> str:
    return (link or "").partition("#")[2]


def leave(stream: WebSocketTestSession) -> None:
    with suppress(CancelledError):  # the test client raises it
        stream.__exit__(None, None, None)


def is_opening(reply: object) -> bool:
    return isinstance(reply, httpx2.Response) and reply.status_code == 201


def check(reply: httpx2.Response, wanted: str) -> None:
    """Check that a reply is a refusal with this code, or none."""
    code = reply.json()["error"]["code"] if reply.status_code >= 400 else ""
    assert code == wanted, reply.text[:300]
    if code == "out-of-date":  # it is told where things stand
        assert reply.json()["view"]["number"] == reply.json()["number"]


def room_of(about: dict[str, Any]) -> dict[str, Any]:
    """Return the body of an opening: seats are who/name, with commas between them."""
    found = {"game": "classic", "seats": "me/Ann", **about}
    seats = (seat.partition("/") for seat in found["seats"].split(","))
    found["seats"] = [{"who": who, "name": name} for who, _, name in seats]
    if order := found.pop("order", ""):
        found["format"] = f"order={order}"
    return found


def move(
    do: str, table: dict[str, Any], words: Sequence[str], about: dict[str, Any]
) -> dict[str, Any]:
    """Return the body of a move at a table as it was seen."""
    seat = {"take-back": table["taker_back"], "correct": table["correctable"]}.get(do)
    body = {"game": table["game"], "version": table["version"], "do": do}
    body["seat"] = seat if seat is not None else table["seat"] or 0
    if do == "choose":
        body["choice"] = words[0] if words else table["offers"][0]["text"]
    elif words:
        body["roll"] = words[0]
    return {**body, **about}
