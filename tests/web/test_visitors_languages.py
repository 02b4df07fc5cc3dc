"""Visitors of one server, each in a language of their own: English, or the pseudo-language."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

import pytest

from listing import assert_none
from people import Person
from pseudo_language import LANGUAGE, OPEN, in_pseudo, translations
from shutbox import find
from shutbox.engine import messages
from shutbox.engine.errors import NotYourTurn, UnknownGame
from shutbox.engine.messages import gettext, speaking
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import one_line
from shutbox.web.server.services import Server

PSEUDO = {"accept-language": f"{LANGUAGE};q=0.9, en;q=0.5"}
GUEST = [{"who": "me", "name": "Ann"}, {"who": "link"}]
SENTENCES = {
    *(
        "ask_alone",
        "length",
        "throws",
        "throws_word",
        "says",
        "said",
        "brief",
        "strength",
        "coach",
        "board",
        "score",
        "legal",
        "ask",
        "beat_says",
        "tag",
    ),
    *("enter", "label", "about", "message", "note", "out", "lines", "typing", "scores"),
    *("done", "done_by"),
}
"""The fields of answers that hold sentences, but for one."""


@pytest.fixture(autouse=True)
def two_languages() -> Iterator[None]:
    """Let every server of these tests have both languages, and speak English by default."""
    messages.use("en", translations())
    messages.load_all()
    yield
    messages.use("en")


@pytest.fixture
def bob(person: Callable[[], Person]) -> Person:
    """Return a visitor whose browser wants the pseudo-language."""
    bob = person()
    bob.client.headers.update(PSEUDO)
    return bob


def split(value: Any, sentences: list[str], key: str = "") -> Any:
    """The facts of an answer; its sentences go to `sentences`."""
    if key == "options":  # of a game, as its name writes them
        return value
    if isinstance(value, dict):
        table = "version" in value
        return {
            k: split(v, sentences, "says" if k in ("dice", "aim") and table else k)
            for k, v in value.items()
        }
    if isinstance(value, list):
        found = [split(one, sentences, key) for one in value]
        return None if key in SENTENCES and all(one is None for one in found) else found
    if isinstance(value, str) and key in SENTENCES:
        sentences.append(value)
        return None
    return None if key in ("room", "title", "watch", "host", "0", "1", "links") else value


def sentences(answer: Any) -> list[str]:
    """The sentences of an answer that have a letter."""
    found: list[str] = []
    split(answer, found)
    return [text for text in found if any(letter.isalpha() for letter in text)]


def are_pseudo(answer: Any) -> bool:
    """Whether all sentences of an answer are in the pseudo-language; if not, none may be."""
    found = sentences(answer)
    assert found
    marked = [text for text in found if OPEN in text]
    assert marked in ([], found)
    return bool(marked)


def test_each_player_at_a_table_reads_their_own_language(
    ann: Person, bob: Person, server: Server
) -> None:
    opened = ann.open(game="classic", seats=GUEST, format="rounds=1", coach=True)
    room, link = opened["view"]["room"], opened["you"]["links"]["seats"]["1"]
    seated = bob.enter(room, link.partition("#")[2], "Bob").json()
    players, live = (ann, bob), f"/api/rooms/{room}/live"
    answers = [(0, opened), (1, seated)]
    streams: tuple[list[Any], list[Any]] = [], []
    numbers: list[int] = []
    # The test client raises CancelledError whenever it closes a socket.
    with (
        suppress(CancelledError),
        ann.client.websocket_connect(live) as english,  # type: ignore[attr-defined]
        bob.client.websocket_connect(live) as pseudo,  # type: ignore[attr-defined]
    ):
        sockets = english, pseudo
        for heard, socket in zip(streams, sockets, strict=True):
            heard.append(socket.receive_json())
        table = ann.table(room)
        while table["does"] != "over":
            seat, player = table["seat"], players[table["seat"]]
            answers.append((seat, player.act(room, table, "choose", choice="99 99").json()))
            if table["does"] == "throw":
                answer = player.act(room, table, "throw").json()
            else:
                for place, one in enumerate(players):
                    answers.append((place, one.get(f"/api/rooms/{room}/hint").json()))
                choice = table["offers"][-1]["text"]
                answer = player.act(room, table, "choose", choice=choice).json()
            answers.append((seat, answer))
            numbers.append(answer["number"])
            table = answer["view"]["table"]
            for heard, socket in zip(streams, sockets, strict=True):
                heard.append(event_of(socket))
    assert len(numbers) > 10
    assert [[heard["number"] for heard in stream[1:]] for stream in streams] == [numbers] * 2
    assert [are_pseudo(answer) == bool(seat) for seat, answer in answers] == [True] * len(answers)
    for messages_now in zip(*streams, strict=True):
        assert [are_pseudo(message) for message in messages_now] == [False, True]
        facts = [split(message, []) for message in messages_now]
        assert facts[0] == facts[1]
    rooms = [one.get(f"/api/rooms/{room}").json() for one in players]
    assert [are_pseudo(found) for found in rooms] == [False, True]
    assert [are_pseudo(found["log"]) for found in rooms] == [False, True]
    # Each line is what it would be if everybody spoke that language.
    messages.use(LANGUAGE, translations())
    alone, _ = asyncio.run(server.log.replay(room))
    lines = [line["says"] for line in rooms[1]["log"]]
    assert [list(line.says) for line in alone.log if line.says] == lines
    assert len(lines) > len(numbers)


def event_of(socket: Any) -> Any:
    """The next message about an event; those about spectators and the seal are skipped."""
    while True:
        message = socket.receive_json()
        if message["type"] != "watching" and message["happened"]["kind"] != "dice":
            break
    return message


def test_the_page_and_what_it_brings_are_in_the_language_of_its_visitor(
    ann: Person, bob: Person
) -> None:
    for path in ("/", "/new", "/help", "/analysis", "/r/nothing", "/offline"):
        english, pseudo = ann.get(path), bob.get(path)
        assert '<html lang="en"' in english.text
        assert f'<html lang="{LANGUAGE}"' in pseudo.text
        # The other language is only named, in the list of languages.
        assert english.text.count(OPEN) == pseudo.text.count(">English<") == 2
        assert ('id="messages"' in english.text, 'id="messages"' in pseudo.text) == (False, True)
        has_titles = path in ("/", "/new", "/analysis")
        assert ["Lucky Seven" in p.text for p in (english, pseudo)] == [has_titles, False]
    for path in ("/manifest.webmanifest", "/sw.js"):
        english, pseudo = ann.get(path), bob.get(path)
        assert english.text != pseudo.text
        assert english.headers["vary"].startswith("Accept-Language, Cookie")
    games = [one.get("/api/games").json() for one in (ann, bob)]
    assert [are_pseudo(found) for found in games] == [False, True]


WISHES = (  # Accept-Language, the cookie, and the language that is read
    ("", "", "en"),
    ("qps", "", "qps"),
    ("QPS-Latn-AQ", "", "qps"),
    ("fr, qps;q=0.5, en;q=0.1", "", "qps"),
    ("qps;q=0.5, en", "", "en"),
    ("en;q=0.4, qps;q=0.6", "", "qps"),
    ("en-GB, qps;q=0.9", "", "en"),
    ("qps;q=0", "", "en"),
    ("*, qps;q=0.5", "", "en"),
    ("fr", "", "en"),
    ("qps;q=high", "", "en"),
    (";;,q=1;, ../qps", "", "en"),
    ("qps ; q=0.8 , en;q=0.80001", "", "en"),
    ("qps", "en", "en"),
    ("en", "qps", "qps"),
    ("qps", "xx", "qps"),
    ("en", "../qps", "en"),
    ("x" * 500 + ", qps", "", "en"),
)


def test_which_language_a_visitor_reads(ann: Person) -> None:
    faults = []
    for accepts, cookie, language in WISHES:
        headers = {"accept-language": accepts, "cookie": f"language={cookie}" if cookie else ""}
        if f'<html lang="{language}"' not in ann.get("/help", headers=headers).text:
            faults.append((accepts, cookie, language))
    assert_none(faults)


def test_without_a_wish_it_is_that_of_the_server(ann: Person) -> None:
    messages.use(LANGUAGE, translations())
    assert f'<html lang="{LANGUAGE}"' in ann.get("/help", headers={"accept-language": "fr"}).text
    assert '<html lang="en"' in ann.get("/help", headers={"accept-language": "fr, en"}).text


def test_the_page_is_kept(ann: Person) -> None:
    for before, after in (
        ("", "/"),
        ("http://testserver/new?game=ten", "/new?game=ten"),
        ("https://testserver/review", "/review"),  # behind a proxy that does not say so
        ("http://testserver//evil.example/", "/"),
        ("http://testserver.evil.example/help", "/"),
        ("https://evil.example/help", "/"),
    ):
        headers, sent = {"referer": before}, {"language": "en"}
        answer = ann.client.post("/language", data=sent, headers=headers, follow_redirects=False)
        assert answer.headers["location"] == after


def test_redirects_are_paths(ann: Person) -> None:
    """A proxy need not say by which scheme a visitor came."""
    led = {
        "/new/": "/new",
        "/today/?a=b": "/today?a=b",
        f"/r/abc%23{'x' * 22}": f"/r/abc#{'x' * 22}",
    }
    for path, to in led.items():
        assert ann.client.get(path, follow_redirects=False).headers["location"] == to


def test_a_worker_does_each_job_in_the_language_of_its_caller() -> None:
    pool = Pool(1)

    async def job(language: str) -> list[str]:
        with speaking(language):
            # The only worker takes quick work; a slow machine takes long to start it.
            how = {"quick": True, "background": True}
            said = await pool.do(language, gettext, "The match is over.", **how)
            with pytest.raises(UnknownGame) as refused:
                await pool.do(language, find, "nothing", **how)
            return [said, str(refused.value)]

    async def jobs() -> list[list[str]]:
        return await asyncio.gather(*map(job, ("en", LANGUAGE)), job("en"))

    try:
        english, pseudo, again = asyncio.run(jobs())
    finally:
        pool.close()
    assert english == again == ["The match is over.", "there is no game 'nothing'"]
    assert pseudo == [
        in_pseudo("The match is over."),
        in_pseudo("there is no game {name}").format(name="'nothing'"),
    ]


def test_a_refusal_is_read_in_the_language_of_its_reader() -> None:
    """It may have been raised in another thread, or for another visitor who waited, too."""
    error = NotYourTurn("seat {seat} waits", seat=1)
    with speaking(LANGUAGE):
        assert str(NotYourTurn("no throw is due")) == in_pseudo("no throw is due")
        due = NotYourTurn("no throw is due")
        assert one_line(due) == "no throw is due"  # for the log of the host
    assert (str(due), str(error)) == ("no throw is due", "seat 1 waits")


def test_what_is_stored_does_not_depend_on_the_visitor(
    ann: Person, bob: Person, server: Server
) -> None:
    names = [one.post("/api/today").json()["view"]["seats"][0]["name"] for one in (ann, bob)]
    assert names == ["Player", "Player"]
    room = bob.open(game="classic", seats=[{"who": "me"}])["view"]["room"]
    bob.play_out(room)
    with sqlite3.connect(str(server.settings.database).removeprefix("sqlite:///")) as database:
        stored = database.execute("SELECT entry FROM events").fetchall()
    assert len(stored) > 5
    assert not [entry for (entry,) in stored if OPEN in entry]
