"""Visitors of one server, each in a language of their own: English, or the pseudo-language."""

import asyncio
import re
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from listing import assert_none
from people import Person, path_of
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
    *("ask_alone", "length", "throws", "throws_word", "says", "said", "brief", "strength"),
    *("coach", "board", "score", "legal", "ask", "beat_says", "tag", "enter", "label"),
    *("about", "message", "note", "out", "lines", "typing", "scores", "done", "done_by"),
}


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


def sentences(answer: Any, key: str = "") -> Iterator[str]:
    """The sentences of an answer that have a letter."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield from sentences(value, name)
    elif isinstance(answer, list):
        for value in answer:
            yield from sentences(value, key)
    elif isinstance(answer, str) and key in SENTENCES and any(map(str.isalpha, answer)):
        yield answer


def are_pseudo(answer: Any) -> bool:
    """Whether all sentences of an answer are in the pseudo-language; if not, none may be."""
    [marked] = {OPEN in text for text in sentences(answer)}
    return marked


def test_each_player_at_a_table_reads_their_own_language(
    ann: Person, bob: Person, server: Server
) -> None:
    opened = ann.open(game="six", seats=GUEST, format="rounds=1", coach=True)
    room, players = opened["view"]["room"], (ann, bob)
    answers = [(0, opened), (1, bob.enter(room, opened["keys"]["1"], "Bob").json())]
    clients: list[Any] = [person.client for person in players]
    streams = [client.websocket_connect(path_of(room, "live")) for client in clients]
    # The test client raises CancelledError whenever it closes a socket.
    with suppress(CancelledError), streams[0], streams[1]:
        assert [are_pseudo(stream.receive_json()) for stream in streams] == [False, True]
        while (table := ann.table(room))["does"] != "over":
            seat, player, choice = table["seat"], players[table["seat"]], {}
            answers.append((seat, player.act(room, table, "choose", choice="99 99").json()))
            if table["does"] == "choose":
                hints = [one.get(path_of(room, "hint")).json() for one in players]
                answers += enumerate(hints)
                choice = {"choice": table["offers"][-1]["text"]}
            answer = player.act(room, table, table["does"], **choice).json()
            answers.append((seat, answer))
            messages_now = [event_of(stream) for stream in streams]
            assert [message["number"] for message in messages_now] == [answer["number"]] * 2
            assert [are_pseudo(message) for message in messages_now] == [False, True]
    assert [are_pseudo(answer) == bool(seat) for seat, answer in answers] == [True] * len(answers)
    logs = [one.get(path_of(room)).json()["log"] for one in players]
    assert [are_pseudo(log) for log in logs] == [False, True]
    # Each line is what it would be if everybody spoke that language.
    messages.use(LANGUAGE, translations())
    alone, _ = asyncio.run(server.log.replay(room))
    assert [list(line.says) for line in alone.log.lines if line.says] == [
        line["says"] for line in logs[1]
    ]


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


def test_a_seat_without_a_name_is_translated_on_pages_and_not_in_a_record(bob: Person) -> None:
    room = bob.open(game="six", format="rounds=1", seats=[{"who": "me"}, {"who": "here"}])
    at = f"/r/{room['view']['room']}"
    names = [in_pseudo("Player {number}").format(number=seat) for seat in (1, 2)]
    assert names[1] in bob.get(at).text
    bob.play_out(room["view"]["room"])
    for path in (at, f"{at}/review", f"{at}/review?watch=1", "/games"):
        page = bob.get(path).text
        assert any(name in page for name in names), path
        assert "Player 2" not in page, path
    record = bob.get(f"{at}/record").content
    page = bob.client.post("/review", files={"record": ("game", record)}).text
    assert f"<textarea{page.partition('<textarea')[2].partition('</textarea>')[0]}".endswith(
        record.decode()
    )


WISHES: dict[str, list[list[str]]] = tomllib.loads(
    Path(__file__).with_name("wishes.toml").read_text(encoding="utf-8")
)


def test_which_language_a_visitor_reads(ann: Person) -> None:
    def read(accepts: str, cookie: str = "") -> str:
        headers = {"accept-language": accepts, "cookie": f"language={cookie}" if cookie else ""}
        [language] = re.findall('<html lang="(.*?)"', ann.get("/help", headers=headers).text)
        return str(language)

    assert_none(
        (wish, language)
        for language in WISHES
        for wish in WISHES[language]
        if read(*wish) != language
    )
    messages.use(LANGUAGE, translations())  # without a wish it is that of the server
    assert (read("fr"), read("fr, en")) == (LANGUAGE, "en")


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
    # Other redirects are paths, too: a proxy need not say by which scheme a visitor came.
    for path, to in (
        ("/new/", "/new"),
        ("/today/?a=b", "/today?a=b"),
        (f"/r/abc%23{'x' * 22}", f"/r/abc#{'x' * 22}"),
    ):
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
        return await asyncio.gather(*map(job, ("en", LANGUAGE, "en")))

    try:
        english, pseudo, again = asyncio.run(jobs())
    finally:
        pool.close()
    assert english == again == ["The match is over.", "there is no game 'nothing'"]
    refused = in_pseudo("there is no game {name}").format(name="'nothing'")
    assert pseudo == [in_pseudo("The match is over."), refused]


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
