"""The API: its document, repeated and late actions, and players who have left.

Generated programs compare the document with the server: for every request they send, the response
must be in the document.
"""

import json
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import MISSING, fields, is_dataclass
from io import BytesIO
from pathlib import Path
from subprocess import PIPE
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from in_process import client_of
from listing import assert_none
from people import Person, cookies_of, path_of, refusal
from serving import Served
from shutbox.engine.narrator import Length, narrate
from shutbox.match import Match, sheet
from shutbox.record import read
from shutbox.solving.advice.adviser import Adviser
from shutbox.table.lookup import find_position, game_of
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api.openapi import EXAMPLES, document
from shutbox.web.rooms import requests, shapes
from shutbox.web.rooms.access import new_action
from shutbox.web.server.services import Server
from shutbox.web.storage.log import events_of

ROOT = Path(__file__).parents[2]
PLAIN = "text/plain; charset=utf-8"


ANN = [{"who": "me", "name": "Ann"}]


def by_hand(person: Person, **more: Any) -> tuple[str, dict[str, Any]]:
    """A room in which people throw their own dice, so that a test knows what falls."""
    opened = person.open(**{"game": "classic", "dice": "hand", "seats": ANN, **more})
    return opened["view"]["room"], opened["view"]["table"]


def throws(person: Person, room: str, roll: str, **more: Any) -> httpx2.Response:
    return person.act(room, person.table(room), "throw", roll=roll, **more)


def chooses(person: Person, room: str, choice: str, **more: Any) -> httpx2.Response:
    return person.act(room, person.table(room), "choose", choice=choice, **more)


# The document


def test_what_may_be_left_out_may_also_be_sent_as_it_is_without() -> None:
    """Generated clients send the defaults of the document."""
    for shape in vars(requests).values():
        for field in fields(shape) if isinstance(shape, type) and is_dataclass(shape) else ():
            if field.default is not MISSING:
                sent = msgspec.to_builtins(field.default)
                assert shapes.convert(sent, shapes.hints_of(shape)[field.name]) == field.default


def test_every_example_is_shown_and_can_be_read() -> None:
    bodies = [one.get("requestBody", {}) for one in operations()]
    shown = [one["content"].get("application/json", {}).get("example") for one in bodies if one]
    for shape, example in EXAMPLES.items():
        assert example in shown
        assert shapes.shaped(example, shape)


def test_an_address_that_is_none_and_what_is_broken_are_told_as_everything_else(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.actions.tables.catalogue", lambda: 1 / 0)
    with client_of(server) as client:
        for method, path, status in (
            ("GET", "/api/nothing", 404),
            ("DELETE", "/api/games", 405),
            ("GET", "/api/rooms/x/act", 405),
            ("GET", "/api/games", 500),
        ):
            response = client.request(method, path)
            assert response.status_code == status
            assert set(response.json()["error"]) == {"code", "message"}
            assert status != 405 or response.headers["allow"]


def test_the_document_describes_every_property_and_lists_its_words() -> None:
    shapes = document(ACTIONS)["components"]["schemas"]
    assert_none(
        (name, field)
        for name, shape in shapes.items()
        for field, about in shape.get("properties", {}).items()
        if not about.get("description")
    )
    code = shapes["Reason"]["properties"]["code"]
    assert {"illegal-choice", "out-of-date", "name-needed", "unknown-game"} <= {*code["enum"]}
    assert {"throw", "choose", "say", "end"} <= {*shapes["LogLine"]["properties"]["kind"]["enum"]}
    assert shapes["ChoiceJudged"]["properties"]["unit"]["enum"] == ["points", "share"]
    assert None in shapes["Move"]["properties"]["grade"]["enum"]
    assert shapes["Kind"]["enum"] == ["die", "tile"]
    assert len(operations()) == len(ACTIONS)
    for operation in operations():  # what stands before every address
        assert {"500", "421"} <= operation["responses"].keys()
        assert operation["responses"]["421"]["content"].keys() == {"text/plain"}


def test_a_field_that_is_not_known_is_refused_everywhere(ann: Person) -> None:
    opened = ann.open(game="classic")
    room = opened["view"]["room"]
    for endpoint in ACTIONS:
        if endpoint.takes not in (None, bytes):
            body = {field.name: "x" for field in fields(endpoint.takes)}
            response = ann.post(endpoint.path.format(room=room), **{**body, "surprise": 1})
            assert refusal(response) == (400, "bad-request"), endpoint.path
    response = ann.act(room, ann.table(room), "throw", surprise=1)
    assert refusal(response) == (400, "bad-request")
    assert "surprise" in response.json()["error"]["message"]
    assert ann.get(path_of(room)).json()["view"]["number"] == opened["number"]


class Program:
    """Whoever opens the rooms that generated requests are about, and knows what is due there."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.done = self.acts = 0
        self.new()

    def new(self) -> None:
        """Another room: coached, on one screen, with a free seat or with real dice."""
        self.done += 1
        kind, here = self.done % 4, {"who": "here", "name": "Bob"}
        others = [[{"who": "link"}], [here, {"who": "computer"}], [here], [here]][kind]
        self.opened = self.person.open(
            game="pub" if kind else "classic(tiles=1-4,dice=1d6)",
            seats=[*ANN, *others],
            dice="hand" if kind == 2 else "system",
            coach=kind == 3,
        )
        self.room, self.hand = self.opened["view"]["room"], kind == 2

    def body(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        """The same body about what is really there."""
        table = self.person.get(path_of(self.room)).json()["view"]["table"]
        match what, table:
            case "act", dict():
                self.acts += 1
                late, other, wrong = (self.acts % n == 0 for n in (5, 7, 3))
                known = {"choice": "", "roll": "3+5" if self.hand and not wrong else ""}
                if table["does"] == "choose":
                    choice = body.get("choice", "") if wrong else table["offers"][0]["text"]
                    known = {"choice": choice, "roll": ""}
                known |= {"do": table["does"].replace("over", "throw")}
                return {
                    **body,
                    **({} if wrong and not late else known),
                    "game": table["game"],
                    "version": table["version"] + late,
                    "seat": 11 if other else table["seat"] or 0,
                }
            case "rematch", dict():
                return {**body, "game": table["game"]}
            case "enter", _:
                return {**body, "key": self.opened["keys"]["watch"], "name": None}
            case (("leave" | "come-back" | "renew" | "stand-in"), _):
                before = {"leave": "come-back", "come-back": "leave"}.get(what)
                if before is not None:
                    self.person.post(path_of(self.room, before), seat=0)
                kind = {"computer": "most"} if what == "stand-in" else {}
                # An id of its own: a generated one may be that of another request.
                return {**body, "action": new_action(), "seat": 0, **kind}
        return body


def test_whatever_is_sent_the_document_has_the_answer(
    served: Served, request: pytest.FixtureRequest
) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    checks = pytest.importorskip("schemathesis.specs.openapi.checks")
    inputs = request.config.getoption("--fuzz")
    client = served.client()
    program, seen = Program(Person(client)), Counter[tuple[str, int]]()
    schema = schemathesis.openapi.from_dict(program.person.get("/api/openapi.json").json())

    def sent(case: Any, op: str, *, real: bool, room: bool) -> None:
        if op == "record" and program.opened["view"]["phase"] == "waiting":
            program.new()  # there a game has begun
        if "{room}" in case.path and room:
            case.path_parameters = {"room": program.room}
        if real and isinstance(case.body, dict):
            case.body = program.body(op, case.body)
        response = case.call(base_url=served.url, headers=cookies_of(client), timeout=20)
        seen[op, response.status_code] += 1
        # What is refused with 422 is understood, and cannot be done, which no schema says; and a
        # whole number is written as one.
        case.validate_response(response, excluded_checks=[checks.positive_data_acceptance])
        if real and response.status_code == 400:
            assert "got `float`" in response.text or "is empty" in response.text
        if seen.total() % 40 == 0:
            program.new()

    def send_all(operation: Any, op: str, mode: Any) -> None:
        real = mode is schemathesis.GenerationMode.POSITIVE
        set_up = settings(
            max_examples=max(2, inputs // (3 if op == "act" and real else 10 if real else 20)),
            database=None,
            derandomize=inputs < 1000,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )

        def asking(case: Any, room: bool) -> None:
            sent(case, op, real=real, room=room)

        cases = operation.as_strategy(generation_mode=mode)
        given(case=cases, room=st.sampled_from([True, True, real]))(set_up(asking))()

    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # a stream goes on for ever; it has tests of its own
        op = operation.path.rpartition("/")[2]
        send_all(operation, op, schemathesis.GenerationMode.POSITIVE)
        if operation.body or operation.query:  # any other text is good for a room that is not there
            send_all(operation, op, schemathesis.GenerationMode.NEGATIVE)
    assert not [key for key in seen if key[1] >= 500]
    for op in ("rooms", "enter", "act", "leave", "come-back", "renew", "hint", "record"):
        assert seen[op, 200] + seen[op, 201] > 0, f"nothing that was sent to {op} was done"
    assert {status for op, status in seen if op == "act"} >= {200, 400, 403, 409, 422}
    assert program.person.get("/ready").status_code == 200
    assert "broken" not in served.log.read_text()
    client.close()


def test_a_hint_has_the_figures_of_the_solver_and_a_row_for_each(ann: Person) -> None:
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    hint = ann.get(path_of(room, "hint")).json()
    figures, (game, here) = hint["figures"], find_position("classic:1-9/3+5")
    ranked = Adviser(game).advise(here).ranked
    assert (figures["chance"], figures["low_is_good"], figures["more"]) == (False, True, 0)
    told = [(one["text"], one["value"], one["cost"], one["best"]) for one in figures["choices"]]
    assert told == [(o.text, float(o.value), float(o.cost), not o.cost) for o in ranked]
    assert [row["text"] for row in hint["rows"]] == [one.text for one in ranked]
    first = hint["rows"][0]
    assert (first["name"], first["cost"], first["length"]) == ("8", "best", 1.0)
    assert hint["lead"] == "Expected result, best first."


def test_the_time_of_an_entry_is_the_servers(ann: Person, server: Server) -> None:
    server.rooms.now = lambda: 1_000_000.0
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    assert {row.at for row in events_of(server.database, room)} == {1_000_000.0}
    assert "1970-01-12 13:46:40 UTC" in ann.get(path_of(room, "record")).text


def test_the_sheet_of_a_match_is_right_whatever_is_taken_back(ann: Person, server: Server) -> None:
    two = [*ANN, {"who": "here", "name": "Bob"}]
    game = "classic(tiles=1-4,fewer=never)"
    opened = ann.open(game=game, format="rounds=8", dice="hand", seats=two)
    room, table = opened["view"]["room"], opened["view"]["table"]
    held, chance = server.rooms.loaded_room(room), random.Random("sheet")
    assert held is not None
    done = set()
    while table["does"] != "over":
        roll = f"{chance.randint(1, 3)}+{chance.randint(1, 3)}"
        about = {"roll": roll} if table["does"] == "throw" else {}
        if table["does"] == "choose":
            about = {"choice": chance.choice(table["offers"])["text"]}
        asked = [(table["does"], about), ("correct", {"roll": "1+2"}), ("take-back", {})]
        for what, about in asked if chance.random() < 0.4 else asked[:1]:
            answer = ann.act(room, table, what, **about)
            if answer.status_code == 200:
                done.add(what)
                table = answer.json()["view"]["table"]
            there = held.room.table
            assert there is not None
            assert isinstance(there.game, Match)
            assert held.room.rounds == sheet(there.game, there.steps)
    assert done == {"throw", "choose", "correct", "take-back"}
    assert len(held.room.rounds) == 8


def test_a_record_of_a_table_is_told_again_at_three_lengths(ann: Person) -> None:
    room, _ = by_hand(ann)
    for roll, tiles in (("3+5", "8"), ("1+2", "1 2")):
        throws(ann, room, roll)
        chooses(ann, room, tiles)
    record = ann.get(path_of(room, "record"))
    assert record.headers["content-type"] == PLAIN
    assert room not in record.text
    again = ann.client.post("/api/records", content=record.content).json()
    assert (again["players"], again["fault"]) == (["Ann"], None)
    steps = again["steps"]
    assert [step["thrown_at"] for step in steps] == [0, 1, 1, 3, 3]
    reading = read(BytesIO(record.content), game_of)
    for length, field in zip(Length, ("brief", "says", "full"), strict=True):
        lines = narrate(reading.game, reading.play.log, ["Ann"], length)
        assert [tuple(step[field] or step["says"]) for step in steps] == list(lines)


# The docs, and the bot they show

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "language"), [("web_bot.py", "python"), ("web_bot.mjs", "js")])
def test_the_docs_show_the_bot_as_it_is(name: str, language: str) -> None:
    bot = (ROOT / "examples" / name).read_text(encoding="utf-8")
    assert f"```{language}\n{bot}```" in PAGE
    assert len([line for line in bot.splitlines() if line]) <= 45


def test_the_docs_begin_with_a_request_and_its_whole_answer(ann: Person) -> None:
    [sent] = re.findall(r"-d '(.*?)'\n", PAGE, re.DOTALL)
    opened = ann.client.post("/api/rooms", json=json.loads(sent))
    assert opened.status_code == 201
    shown = json.loads(PAGE.partition("```json\n")[2].partition("```")[0])
    assert without_chance(shown) == without_chance(opened.json())
    assert shown["you"]["links"]["seats"]["0"] in PAGE.partition("node examples/")[2]


def without_chance(found: Any) -> Any:
    """An answer without what is drawn at random in it."""
    text = json.dumps(found).replace("http://testserver", "http://127.0.0.1:8000")
    secret = r'(?<=")(?:[0-9a-f]{32,}|[\w-]{22})(?=")|(?<=/r/)[\w#-]+|(?<="words": )\[.*?\]'
    return json.loads(re.sub(secret, "0", re.sub(r'(?<="room": ")\w+', "", text)))


def test_the_docs_show_a_choice_that_is_due_and_make_it(ann: Person) -> None:
    acting = PAGE.partition("## Acting")[2]
    shown = json.loads(acting.partition("```json\n")[2].partition("```")[0])
    [act] = re.findall(r"^\{\"action\".*?\}$", acting, re.MULTILINE)
    room, _ = by_hand(ann)
    table = throws(ann, room, "1+2").json()["view"]["table"]
    assert shown == {name: table[name] for name in shown}
    chosen = ann.client.post(path_of(room, "act"), json=json.loads(act))
    assert chosen.status_code == 200
    assert chosen.json()["view"]["table"]["does"] == "throw"


def test_the_docs_name_every_status_that_an_answer_can_have() -> None:
    answers = {status for operation in operations() for status in operation["responses"]}
    assert_none(s for s in {*answers, "405"} - {"200", "201"} if f"\n| {s} |" not in PAGE)


NODE = shutil.which("node") or ""
BOTS = {
    "python": [sys.executable, "-W", "error", str(ROOT / "examples" / "web_bot.py")],
    "js": [NODE, str(ROOT / "examples" / "web_bot.mjs")],
}


NEEDS_NODE = pytest.mark.skipif(not NODE, reason="Node.js is not installed")


@pytest.mark.parametrize("language", ["python", pytest.param("js", marks=NEEDS_NODE)])
def test_the_bot_outlives_stale_views_and_the_server(tmp_path: Path, language: str) -> None:
    with Served(tmp_path) as served, served.client() as client:
        person = Person(client)
        seats = [{"who": "link"}, {"who": "computer:first"}]
        game = "classic(tiles=1-4,dice=1d6)"
        opened = person.open(game=game, format="rounds=12", seats=seats)
        about = path_of(opened["view"]["room"])

        def refusals() -> set[int]:
            """The statuses with which something that was sent by the bot was refused."""
            lines = served.log.read_text(encoding="utf-8").splitlines()
            logged = [json.loads(line) for line in lines if line.endswith("}")]
            acts = [one for one in logged if one.get("route") == "/api/rooms/{room}/act"]
            return {one["status"] for one in acts} - {200}

        command = [*BOTS[language], opened["you"]["links"]["seats"]["0"], "Robo"]
        with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) as bot:
            try:
                while bot.poll() is None and refusals() != {409}:
                    # Every stream ends, and what it tells next has the view of before.
                    person.post(f"{about}/renew", seat=-1)
                    time.sleep(0.05)
                assert refusals() == {409}
                served.kill()
                served.start()
                said, wrong = bot.communicate(timeout=120)
            finally:
                bot.kill()
        assert bot.returncode == 0, wrong
        view = person.get(about).json()["view"]
        assert view["phase"] == "over"
        assert said.strip() == view["table"]["score"]


def operations() -> list[dict[str, Any]]:
    return [one for path in document(ACTIONS)["paths"].values() for one in path.values()]
