"""The API in a generated language: the same facts, and every sentence translated.

`python tests/web/test_language.py [FOLDER]` plays some games with typed dice in a separate process
and prints every response of the server. FOLDER has the language.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from people import Person
from pseudo_language import LANGUAGE, OPEN, translations
from shutbox.engine import messages
from shutbox.engine.game import Throw
from shutbox.web import limits
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database

HERE = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
GAMES = ("classic", "pub", "cargo", "lucky-seven")
SENTENCES = {
    *(
        "ask_alone",
        "length",
        "leaver_says",
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
    ),
    *("enter", "label", "about", "message", "note", "out", "lines", "typing", "scores"),
}
"""The fields of answers that hold sentences, but for one."""
ROOT = Path(__file__).parents[2]


def answers() -> list[Any]:
    """Everything that the server answers to some games, and to what it refuses."""
    folder = tempfile.mkdtemp()
    settings = Settings(
        database=f"sqlite:///{folder}/tables.db", unlimited=frozenset({"127.0.0.1"})
    )
    server = Server(settings, Database(settings.database))
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
        server.rooms.now = lambda: 1_800_000_000.0  # the same header of every record
        ann = Person(client)
        heard = [ann.get("/api/games").json()]
        for game in GAMES:
            heard += played(server, ann, game)
        heard += [
            ann.post("/api/rooms", game=game).json() for game in ("nothing", "classic(dice=x)")
        ]
        return heard


def played(server: Server, ann: Person, game: str) -> Iterator[Any]:
    """The answers to a game of two, thrown and chosen by chance."""
    chance = random.Random(game)
    opened = ann.open(game=game, dice="hand", seats=HERE, coach=True)
    room, table = opened["view"]["room"], opened["view"]["table"]
    yield opened
    for _ in range(40):
        if table["does"] == "over":
            break
        if table["does"] == "throw":
            yield ann.act(room, table, "throw", roll="nonsense").json()
            live = server.rooms.cached_room(room)
            awaited = live and live.room.playing().awaits
            assert isinstance(awaited, Throw)
            roll = "+".join(str(chance.randint(1, sides)) for sides in awaited.dice.sides)
            answer = ann.act(room, table, "throw", roll=roll)
        else:
            yield ann.act(room, table, "choose", choice="99 99").json()
            offer = chance.choice(table["offers"])
            answer = ann.act(room, table, "choose", choice=offer["text"])
        assert answer.status_code == 200, answer.text
        yield answer.json()
        table = answer.json()["view"]["table"]
    yield ann.act(room, {**table, "version": 0}, "take-back").json()
    yield ann.post(f"/api/rooms/{room}/leave", seat=1).json()
    yield ann.post(f"/api/rooms/{room}/leave", seat=1).json()
    yield ann.get(f"/api/rooms/{room}").json()
    record = ann.get(f"/api/rooms/{room}/record").text
    yield record


def split(value: Any, sentences: list[str], key: str = "") -> Any:
    """The facts of an answer; its sentences go to `sentences`."""
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
    return None if key in ("room", "watch", "host", "0", "1", "links") else value


@pytest.fixture(scope="module")
def both() -> tuple[list[Any], list[Any]]:
    """What is answered in English, and in the pseudo-language."""
    found = []
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    env = {**os.environ, "PYTHONPATH": paths}
    for language in ([], [str(translations())]):
        run = [sys.executable, __file__, *language]
        done = subprocess.run(run, env=env, capture_output=True, check=False, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return found[0], found[1]


def test_the_facts_are_the_same_in_every_language(both: tuple[list[Any], list[Any]]) -> None:
    english, pseudo = both
    assert len(english) == len(pseudo) > 100
    for one, other in zip(english, pseudo, strict=True):
        assert split(one, []) == split(other, [])


def test_every_sentence_is_of_the_language(both: tuple[list[Any], list[Any]]) -> None:
    sentences: list[str] = []
    for answer in both[1]:
        split(answer, sentences)
    assert len(sentences) > 2_000
    plain = {text for text in sentences if text and OPEN not in text}
    assert not {text for text in plain if any(letter.isalpha() for letter in text)}


if __name__ == "__main__":
    limits.JUDGE_SECONDS = 60.0  # the machine may be busy
    if sys.argv[1:]:
        messages.use(LANGUAGE, Path(sys.argv[1]))
    print(json.dumps(answers()))
