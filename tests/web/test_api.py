"""The API: its document, repeated and late actions, and players who have left.

Generated programs compare the document with the server: for every request they send, the response
must be in the document.
"""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from people import Person, path_of, refusal
from serving import Served
from shutbox.engine.narrator import Length, narrate
from shutbox.match import Match, sheet
from shutbox.record import read
from shutbox.solving.advice.adviser import Adviser
from shutbox.table.lookup import find_position, game_of
from shutbox.web import limits
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api.openapi import EXAMPLES, document
from shutbox.web.errors import Broken
from shutbox.web.rooms import events, requests
from shutbox.web.rooms.access import Allowed
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import Batch

ROOT = Path(__file__).parents[2]
PLAIN = "text/plain; charset=utf-8"
TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
HERE = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


def by_hand(person: Person, **more: Any) -> tuple[str, dict[str, Any]]:
    """A room in which people throw their own dice, so that a test knows what falls."""
    opened = person.open(**{"game": "classic", "dice": "hand", "seats": HERE[:1], **more})
    return opened["view"]["room"], opened["view"]["table"]


def throws(person: Person, room: str, roll: str, **more: Any) -> httpx2.Response:
    return person.act(room, person.table(room), "throw", roll=roll, **more)


def chooses(person: Person, room: str, choice: str, **more: Any) -> httpx2.Response:
    return person.act(room, person.table(room), "choose", choice=choice, **more)


def number(person: Person, room: str) -> int:
    answer = person.get(path_of(room)).json()
    found: int = answer["view"]["number"]
    return found


# The document


def test_the_document_is_of_the_openapi_it_says() -> None:
    definitions = pytest.importorskip("schemathesis.specs.openapi.definitions")
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    found = msgspec.to_builtins(document(ACTIONS))
    jsonschema_rs.Draft202012Validator(definitions.OPENAPI_31).validate(found)
    for schema in found["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_what_may_be_left_out_may_also_be_sent_as_it_is_without() -> None:
    """Generated clients send the defaults of the document."""
    for shape in filter(_is_inward, vars(requests).values()):
        for field in fields(shape):
            if field.default is not MISSING:
                sent = msgspec.to_builtins(field.default)
                assert events.read(events.hints_of(shape)[field.name], sent) == field.default


def test_the_document_describes_every_property_and_lists_its_words() -> None:
    shapes = document(ACTIONS)["components"]["schemas"]
    undescribed = [
        (name, field)
        for name, shape in shapes.items()
        for field, about in shape.get("properties", {}).items()
        if not about.get("description")
    ]
    assert undescribed == []
    code = shapes["Reason"]["properties"]["code"]
    assert {"illegal-choice", "out-of-date", "name-needed", "unknown-game"} <= {*code["enum"]}
    assert {"throw", "choose", "say", "end"} <= {*shapes["Happened"]["properties"]["kind"]["enum"]}
    assert shapes["ChoiceJudged"]["properties"]["unit"]["enum"] == ["points", "share"]
    assert None in shapes["Move"]["properties"]["grade"]["enum"]
    assert shapes["Kind"]["enum"] == ["die", "tile"]


def test_the_document_tells_of_what_stands_before_every_address(tmp_path: Path) -> None:
    told = document(ACTIONS)
    operations = [one for path in told["paths"].values() for one in path.values()]
    assert len(operations) == len(ACTIONS)
    for operation in operations:
        assert {"500", "421"} <= operation["responses"].keys()
        assert operation["responses"]["421"]["content"].keys() == {"text/plain"}
    named = Settings(database=f"sqlite:///{tmp_path / 'named.db'}", url="https://box.example")
    with TestClient(app_of(Server(named, Database(named.database)))) as client:
        elsewhere = client.get("/api/games")
        assert (elsewhere.status_code, elsewhere.headers["content-type"]) == (421, PLAIN)


def test_the_document_tells_of_everything_that_is_broken(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.actions.tables.catalogue", lambda: 1 / 0)
    with TestClient(app_of(server)) as client:
        assert refusal(client.get("/api/games")) == (500, "broken")


def _is_inward(shape: object) -> bool:
    return isinstance(shape, type) and is_dataclass(shape) and shape is not events.Bounds


def test_a_field_that_is_not_known_is_refused_everywhere(ann: Person) -> None:
    opened = ann.open(game="classic")
    room = opened["view"]["room"]
    for endpoint in ACTIONS:
        if endpoint.takes in (None, bytes):
            continue
        path = endpoint.path.format(room=room)
        body = {field.name: "x" for field in fields(endpoint.takes)}
        response = ann.post(path, **{**body, "surprise": 1})
        assert refusal(response) == (400, "bad-request"), endpoint.path
    good = {"game": 1, "version": 0, "seat": 0, "do": "throw", "surprise": 1}
    response = ann.post(path_of(room, "act"), **good)
    assert refusal(response) == (400, "bad-request")
    assert "surprise" in response.json()["error"]["message"]
    assert number(ann, room) == opened["number"]


def test_an_address_of_the_api_that_is_none_is_refused_in_its_own_words(ann: Person) -> None:
    for method, path, status in (
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/games", 405),
        ("GET", "/api/rooms/x/act", 405),
    ):
        response = ann.client.request(method, path)
        assert response.status_code == status
        assert set(response.json()["error"]) == {"code", "message"}
        assert status == 404 or response.headers["allow"]


# The server against its document


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture
def afar(served: Served) -> Iterator[Person]:
    """Somebody who asks over the wire."""
    with served.client() as client:
        yield Person(client)


class Program:
    """Whoever opens the rooms that generated requests are about, and knows what is due there."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.done = self.acts = 0
        self.new()

    def new(self) -> None:
        """Another room: coached, on one screen, with a free seat or with real dice."""
        self.done += 1
        kind = self.done % 4
        self.opened = self.person.open(
            game="pub" if kind else "classic(tiles=1-4,dice=1d6)",
            seats=[TWO, [*HERE, {"who": "computer"}], HERE, HERE][kind],
            dice="hand" if kind == 2 else "system",
            coach=kind == 3,
        )
        self.room = self.opened["view"]["room"]
        self.hand = kind == 2

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
                return {**body, "seat": 0, **kind}
        return body


def _asking(sent: Callable[..., None], op: str, real: bool) -> Callable[[Any, bool], None]:
    def asking(case: Any, room: bool) -> None:
        sent(case, op, real=real, room=room)

    return asking


def test_whatever_is_sent_the_document_has_the_answer(
    served: Served, afar: Person, request: pytest.FixtureRequest
) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    checks = pytest.importorskip("schemathesis.specs.openapi.checks")
    inputs = request.config.getoption("--fuzz")
    program, seen = Program(afar), Counter[tuple[str, int]]()
    cookie = "; ".join(f"{k}={v}" for k, v in program.person.client.cookies.items())
    schema = schemathesis.openapi.from_dict(program.person.get("/api/openapi.json").json())

    def sent(case: Any, op: str, *, real: bool, room: bool) -> None:
        if op == "record" and program.opened["view"]["phase"] == "waiting":
            program.new()  # there a game has begun
        if "{room}" in case.path and room:
            case.path_parameters = {"room": program.room}
        if real and isinstance(case.body, dict):
            case.body = program.body(op, case.body)
        response = case.call(base_url=served.url, headers={"Cookie": cookie}, timeout=20)
        seen[op, response.status_code] += 1
        # What is refused with 422 is understood, and cannot be done, which no schema says; and a
        # whole number is written as one.
        case.validate_response(response, excluded_checks=[checks.positive_data_acceptance])
        if real and response.status_code == 400:
            assert "got `float`" in response.text or "is empty" in response.text
        if seen.total() % 40 == 0:
            program.new()

    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # a stream goes on for ever; it has tests of its own
        op = operation.path.rpartition("/")[2]
        for mode in schemathesis.GenerationMode:
            real = mode is schemathesis.GenerationMode.POSITIVE
            if not real and not operation.body and not operation.query:
                continue  # any text is good for a room that is not there
            cases = operation.as_strategy(generation_mode=mode)
            times = max(2, inputs // (3 if op == "act" and real else 10))

            set_up = settings(
                max_examples=times,
                database=None,
                derandomize=inputs < 1000,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            )
            given(case=cases, room=st.sampled_from([True, True, real]))(
                set_up(_asking(sent, op, real))
            )()
    assert not [key for key in seen if key[1] >= 500]
    for op in ("rooms", "enter", "act", "leave", "come-back", "renew", "hint", "record"):
        assert seen[op, 200] + seen[op, 201] > 0, f"nothing that was sent to {op} was done"
    assert {status for op, status in seen if op == "act"} >= {200, 400, 403, 409, 422}
    assert program.person.get("/ready").status_code == 200
    assert "broken" not in served.log.read_text()


# Repeated and late


def test_what_is_repeated_is_answered_with_what_was_kept(ann: Person, server: Server) -> None:
    room, _ = by_hand(ann, coach=True)
    throws(ann, room, "3+5")
    table = ann.table(room)
    first = ann.act(room, table, "choose", choice="8", action="put-down-8").json()
    assert first["coach"]
    throws(ann, room, "1+1")
    again = ann.act(room, table, "choose", choice="8", action="put-down-8")
    assert again.status_code == 200
    for part in ("number", "said", "coach", "coach_figures"):
        assert again.json()[part] == first[part]
    # Nothing else is done under that id, and nothing else is said to be done.
    for other in (
        ann.act(room, table, "choose", choice="1 7", action="put-down-8"),
        ann.act(room, table, "throw", roll="3+5", action="put-down-8"),
        ann.post(f"/api/rooms/{room}/renew", seat=0, action="put-down-8"),
    ):
        assert (other.status_code, other.json()["error"]["code"]) == (403, "not-allowed")
    assert ann.table(room)["version"] == 3


def test_an_action_outlives_the_memory(ann: Person, server: Server) -> None:
    room, table = by_hand(ann, coach=True)
    throws(ann, room, "3+5")
    table = ann.table(room)
    first = ann.act(room, table, "choose", choice="8", action="put-down-8").json()
    before = number(ann, room)
    server.rooms._loaded.clear()
    again = ann.act(room, table, "choose", choice="8", action="put-down-8").json()
    for part in ("number", "coach", "coach_figures"):
        assert again[part] == first[part]
    assert again["coach_figures"] is not None
    assert number(ann, room) == before


def test_an_action_of_somebody_else_is_not_answered(person: Callable[[], Person]) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=TWO)
    room = opened["view"]["room"]
    bob.enter(room, opened["keys"]["1"], "Bob")
    table = ann.table(room)
    assert ann.act(room, table, "throw", action="the-throw-of-ann").status_code == 200
    before = number(ann, room)
    taken = bob.act(room, table, "throw", action="the-throw-of-ann", seat=1)
    assert refusal(taken) == (403, "not-allowed")
    assert "said" not in taken.json()
    assert number(ann, room) == before


@pytest.mark.parametrize(
    "what", ["leave", "come-back", "stand-in", "end", "rematch", "renew"], ids=str
)
def test_everything_that_is_repeated_is_done_once(person: Callable[[], Person], what: str) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=TWO)
    room = opened["view"]["room"]
    bob.enter(room, opened["keys"]["1"], "Bob")
    asks, body = ann, {"seat": 0}
    if what != "leave":
        assert bob.post(path_of(room, "leave"), seat=1).status_code == 200
    if what == "come-back":
        asks, body = bob, {"seat": 1}
    if what == "stand-in":
        body = {"seat": 1}
    if what in ("end", "rematch"):
        body = {}
    if what == "rematch":
        ann.post(path_of(room, "end"))
        body = {"game": 1}
    first = asks.post(path_of(room, what), action="only-once", **body)
    again = asks.post(path_of(room, what), action="only-once", **body)
    assert first.status_code == again.status_code == 200, first.text
    after = 1 if what == "rematch" else 0  # the envelope of the new game
    assert first.json()["number"] == again.json()["number"] == number(ann, room) - after


def test_a_link_that_is_followed_twice_by_one_program_is_followed(
    person: Callable[[], Person],
) -> None:
    opened = person().open(game="pub", seats=TWO)
    room, body = opened["view"]["room"], {"key": opened["keys"]["1"], "name": "Bob"}
    bob = person()
    first = bob.post(path_of(room, "enter"), action="sit-down-once", **body)
    again = bob.post(path_of(room, "enter"), action="sit-down-once", **body)
    assert first.status_code == again.status_code == 200
    assert first.json()["key"] == again.json()["key"]


@pytest.mark.parametrize("do", ["throw", "choose", "take-back", "correct"])
def test_who_is_late_changes_nothing_and_is_told_where_things_stand(ann: Person, do: str) -> None:
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    before = number(ann, room)
    for game, version in ((1, 0), (1, 2), (2, 1), (0, 1)):
        about = {"game": game, "version": version, "seat": 0}
        late = ann.post(path_of(room, "act"), **about, do=do, choice="8", roll="3+5")
        assert refusal(late) == (409, "out-of-date")
        assert late.json()["number"] == before
        assert late.json()["view"] == ann.get(path_of(room)).json()["view"]
    assert number(ann, room) == before


def test_a_rematch_of_an_old_game_is_late(ann: Person) -> None:
    room, _ = by_hand(ann, game="classic(tiles=1,dice=1d2)")
    throws(ann, room, "1")
    chooses(ann, room, "1")
    assert ann.post(path_of(room, "rematch"), game=1).status_code == 200
    late = ann.post(path_of(room, "rematch"), game=1)
    assert refusal(late) == (409, "out-of-date")
    assert late.json()["view"]["table"]["game"] == 2


# Dice of one's own, and the choices of others


def test_nobody_takes_back_the_choice_of_somebody_else(person: Callable[[], Person]) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=TWO)
    room = opened["view"]["room"]
    bob.enter(room, opened["keys"]["1"], "Bob")
    ann.step(room, ann.step(room, ann.table(room)))
    table, before = ann.table(room), number(ann, room)
    assert refusal(bob.act(room, table, "take-back", seat=1)) == (403, "not-your-turn")
    assert refusal(bob.act(room, table, "take-back", seat=0)) == (403, "not-allowed")
    assert number(ann, room) == before
    assert ann.act(room, table, "take-back", seat=0).status_code == 200


def test_dice_are_typed_only_where_people_throw_their_own(ann: Person) -> None:
    room, _ = by_hand(ann)
    for roll, wanted in (("", 422), ("9", 422), ("7+7", 422), ("nonsense", 422), ("6+6+6", 422)):
        assert throws(ann, room, roll).status_code == wanted
    assert ann.table(room)["version"] == 0
    assert "5 and 3" in str(throws(ann, room, "5+3").json()["said"]).replace("3 and 5", "5 and 3")
    thrown = ann.open(game="classic")["view"]
    table = thrown["table"]
    assert refusal(ann.act(thrown["room"], table, "throw", roll="6+6")) == (422, "illegal-roll")
    ann.act(thrown["room"], table, "throw")
    table = ann.table(thrown["room"])
    assert table["correctable"] is None
    assert refusal(ann.act(thrown["room"], table, "correct", roll="6+6", seat=0))[0] == 422
    assert ann.table(thrown["room"])["version"] == 1


def test_a_seat_by_link_sees_no_real_dice(ann: Person) -> None:
    response = ann.post("/api/rooms", game="pub", dice="hand", seats=TWO)
    assert refusal(response) == (403, "not-allowed")


# Advice


@pytest.mark.parametrize("level", ["off", "legal", "ranked", "explained"])
def test_hints_say_as_much_as_was_settled(ann: Person, level: str) -> None:
    room, _ = by_hand(ann, hints=level)
    path = path_of(room, "hint")
    if level == "off":
        assert refusal(ann.get(path)) == (403, "not-allowed")
        return
    early = ann.get(path).json()
    assert early["says"] == ["There is nothing to choose before the next throw."]
    assert early["figures"] is None
    throws(ann, room, "3+5")
    hint = ann.get(path).json()
    says, figures = hint["says"], hint["figures"]
    assert ("expected score" in str(says)) == (level != "legal")
    assert (len(says) == 1) == (level == "legal")
    assert (figures is None) == (level == "legal")


def test_the_figures_of_a_hint_are_those_of_the_solver(ann: Person) -> None:
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    figures = ann.get(path_of(room, "hint")).json()["figures"]
    game, here = find_position("classic:1-9/3+5")
    ranked = Adviser(game).advise(here).ranked
    assert (figures["chance"], figures["low_is_good"], figures["more"]) == (False, True, 0)
    assert [
        (one["text"], one["says"], one["value"], one["cost"], one["shut"], one["best"])
        for one in figures["choices"]
    ] == [
        (one.text, one.says, float(one.value), float(one.cost), float(one.shut), not one.cost)
        for one in ranked
    ]


def test_a_hint_has_a_row_for_each_choice_as_pages_show_it(ann: Person) -> None:
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    hint = ann.get(path_of(room, "hint")).json()
    assert [row["text"] for row in hint["rows"]] == [
        one["text"] for one in hint["figures"]["choices"]
    ]
    first = hint["rows"][0]
    assert (first["name"], first["cost"], first["length"]) == ("8", "best", 1.0)
    assert first["spoken"].startswith(f"8: {first['value']} expected, best; shut ")
    assert hint["lead"] == "Expected result, best first."


@pytest.mark.parametrize("coach", [True, False])
def test_choices_are_judged_only_where_that_was_settled(ann: Person, coach: bool) -> None:
    room, _ = by_hand(ann, coach=coach)
    throws(ann, room, "1+1")
    judged = chooses(ann, room, "2").json()["coach"]
    assert judged == []  # there was nothing else
    throws(ann, room, "3+5")
    answer = chooses(ann, room, "1 3 4").json()
    worst, figures = answer["coach"], answer["coach_figures"]
    assert bool(worst) is coach
    assert (figures is not None) is coach
    if coach:
        assert worst[0].startswith(f"That costs {figures['cost']:.1f} in")
        assert (figures["best"], figures["unit"]) == ("8", "points")
        assert figures["grade"] in ("mistake", "blunder")
    throws(ann, room, "6+6")
    assert chooses(ann, room, "4 4").json().get("coach") is None  # refused, so not judged


# Who leaves


def at_two(person: Callable[[], Person], **more: Any) -> tuple[Person, Person, str]:
    ann, bob = person(), person()
    opened = ann.open(**{"game": "pub", "format": "order=seats", "seats": TWO, **more})
    room = opened["view"]["room"]
    assert bob.enter(room, opened["keys"]["1"], "Bob").status_code == 200
    return ann, bob, room


LEAVERS = [
    ("wait", False, False),
    ("computer", True, False),
    ("end", False, True),
    ("any", True, True),
]


@pytest.mark.parametrize(("leaver", "computer", "end"), LEAVERS)
def test_what_may_be_done_about_a_leaver(
    person: Callable[[], Person], leaver: str, computer: bool, end: bool
) -> None:
    ann, bob, room = at_two(person, leaver=leaver, stand_in="most")
    stand_in, give_up = path_of(room, "stand-in"), path_of(room, "end")
    before = number(ann, room)
    # Nobody has left yet.
    assert refusal(ann.post(stand_in, seat=1)) == (403, "not-allowed")
    assert refusal(ann.post(give_up)) == (403, "not-allowed")
    assert number(ann, room) == before
    may = bob.post(path_of(room, "leave"), seat=1).json()["you"]["may"]
    assert may["come_back"] == [1]
    may = ann.get(path_of(room)).json()["you"]["may"]
    assert (may["stand_in"] == [1], may["end"]) == (computer, end)
    assert (ann.post(give_up).status_code == 200) == end
    if end:
        view = ann.get(path_of(room)).json()["view"]
        assert view["phase"] == "ended"
        assert refusal(ann.act(room, view["table"], "throw"))[0] == 403
        return
    before = number(ann, room)
    assert refusal(ann.post(stand_in, seat=1, computer="random")) == (403, "not-allowed")
    assert (ann.post(stand_in, seat=1).status_code == 200) == computer
    assert (number(ann, room) > before) == computer
    seat = ann.get(path_of(room)).json()["view"]["seats"][1]
    assert seat["computer"] == ("most" if computer else "")
    # Whoever left comes back, whatever was done meanwhile.
    assert bob.post(path_of(room, "come-back"), seat=1).status_code == 200
    seat = ann.get(path_of(room)).json()["view"]["seats"][1]
    assert (seat["computer"], seat["state"]) == ("", "taken")


def test_a_computer_player_of_no_kind_stands_in_for_nobody(person: Callable[[], Person]) -> None:
    ann, bob, room = at_two(person)
    bob.post(path_of(room, "leave"), seat=1)
    before = number(ann, room)
    for kind in ("nonsense", "fixed:a,b", "fewest:7", "\u202efewest"):
        asked = ann.post("/api/rooms", game="pub", seats=TWO, stand_in=kind)
        assert refusal(asked)[0] in (400, 403, 422)
        asked = ann.post(path_of(room, "stand-in"), seat=1, computer=kind)
        assert refusal(asked)[0] in (400, 403, 422)
    assert number(ann, room) == before


def test_who_keeps_the_others_waiting_is_away_by_the_clock_of_the_server(
    person: Callable[[], Person], server: Server
) -> None:
    clock = [1_000_000.0]
    server.rooms.now = lambda: clock[0]
    ann, bob, room = at_two(person)
    about = path_of(room)
    # Seat 0 is due, and it is Bob who may wait no longer.
    clock[0] += limits.AWAY_SECONDS - 1
    assert bob.get(about).json()["you"]["may"]["stand_in"] == []
    assert refusal(bob.post(path_of(room, "end"))) == (403, "not-allowed")
    clock[0] += 1
    may = bob.get(about).json()["you"]["may"]
    assert (may["stand_in"], may["end"]) == ([0], True)
    # Whoever is away sees no such offer about himself, and Bob, who is not due, is not away.
    assert ann.get(about).json()["you"]["may"]["stand_in"] == []
    assert refusal(ann.post(path_of(room, "stand-in"), seat=1)) == (403, "not-allowed")
    # A throw, and the time begins anew.
    ann.step(room, ann.table(room))
    assert refusal(bob.post(path_of(room, "stand-in"), seat=0)) == (403, "not-allowed")
    clock[0] += limits.AWAY_SECONDS
    assert bob.post(path_of(room, "stand-in"), seat=0).status_code == 200
    assert ann.post(path_of(room, "come-back"), seat=0).status_code == 200


@pytest.mark.parametrize("step", [-3600, 3600])
def test_a_step_of_the_clock_makes_nobody_away(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    _, bob, room = at_two(person)
    clock = time.time
    monkeypatch.setattr("shutbox.web.live.repository.time", lambda: clock() + step)
    for _ in range(2):
        assert bob.get(path_of(room)).json()["you"]["may"]["stand_in"] == []
        assert refusal(bob.post(path_of(room, "end"))) == (403, "not-allowed")
        server.rooms.adopt_clock()
        assert abs(server.rooms.now() - clock() - step) < 60  # records have the right date
    real = server.rooms.now
    server.rooms.now = lambda: real() + limits.AWAY_SECONDS
    assert bob.get(path_of(room)).json()["you"]["may"]["stand_in"] == [0]


@pytest.mark.parametrize("step", [-3600, 3600])
def test_a_step_of_the_clock_while_something_is_kept_makes_nobody_away(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    clock, keep, steps = time.time, server.writer.store, [0]
    monkeypatch.setattr("shutbox.web.live.repository.time", lambda: clock() + sum(steps))

    async def kept(batch: Batch) -> None:
        await keep(batch)
        steps.append(step)
        server.rooms.adopt_clock()

    monkeypatch.setattr(server.writer, "store", kept)
    ann, bob, room = at_two(person)
    for one in (bob, ann):
        assert one.get(path_of(room)).json()["you"]["may"]["stand_in"] == []
    table = ann.step(room, ann.table(room))
    assert table["seat"] == 0
    assert bob.get(path_of(room)).json()["you"]["may"]["stand_in"] == []


def test_who_is_due_is_away_in_time_though_the_clock_was_an_hour_ahead(
    person: Callable[[], Person], server: Server
) -> None:
    real = server.rooms.now
    server.rooms.now = lambda: real() + 3600
    _, bob, room = at_two(person)
    server.rooms.now = real
    del server.rooms._loaded[room]  # as after a restart
    assert bob.get(path_of(room)).json()["you"]["may"]["stand_in"] == []
    server.rooms.now = lambda: real() + limits.AWAY_SECONDS + 1
    assert bob.get(path_of(room)).json()["you"]["may"]["stand_in"] == [0]


@pytest.mark.parametrize(("kind", "place"), [("perfect", 0), ("sheet", 1)])
def test_a_computer_player_plays_to_the_end(ann: Person, kind: str, place: int) -> None:
    seats = [{"who": f"computer:{kind}"}, {"who": "me", "name": "Ann"}]
    opened = ann.open(game="pub(tiles=1-4)", seats=seats if place == 0 else seats[::-1])
    room = opened["view"]["room"]
    end = time.monotonic() + 60
    while (table := ann.table(room))["does"] != "over" and time.monotonic() < end:
        if table["seat"] == 1 - place:
            ann.step(room, table)
    assert table["does"] == "over"
    seats_that_acted = {line["seat"] for line in ann.get(path_of(room)).json()["log"]}
    assert place in seats_that_acted


def test_a_computer_player_whose_thinking_fails_takes_the_first_choice(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*about: Any, **options: Any) -> str:
        raise Broken("Traceback of a worker")

    monkeypatch.setattr(server.pool, "do", fails)
    seats = [{"who": "computer:careful"}, {"who": "me", "name": "Ann"}]
    room = ann.open(game="pub(tiles=1-4)", seats=seats)["view"]["room"]
    end = time.monotonic() + 30
    while (table := ann.table(room))["does"] != "over" and time.monotonic() < end:
        if table["seat"] == 1:
            ann.step(room, table)
    assert table["does"] == "over"


def test_the_time_of_an_entry_is_the_servers(ann: Person, server: Server) -> None:
    server.rooms.now = lambda: 1_000_000.0
    room, _ = by_hand(ann)
    throws(ann, room, "3+5")
    assert {row.at for row in server.log.archive.events(room)} == {1_000_000.0}
    assert "1970-01-12 13:46:40 UTC" in ann.get(path_of(room, "record")).text


def test_the_sheet_of_a_match_is_right_whatever_is_taken_back(ann: Person, server: Server) -> None:
    two = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    game = "classic(tiles=1-4,fewer=never)"
    opened = ann.open(game=game, format="rounds=8", dice="hand", seats=two)
    room, table = opened["view"]["room"], opened["view"]["table"]
    held, chance = server.rooms.cached_room(room), random.Random("sheet")
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


# Another game


def test_no_rematch_while_a_game_is_played(person: Callable[[], Person]) -> None:
    ann, _, room = at_two(person)
    assert refusal(ann.post(path_of(room, "rematch"), game=1)) == (403, "not-allowed")


# Records


def test_a_record_of_a_table_is_played_again(ann: Person) -> None:
    room, _ = by_hand(ann, game="classic(tiles=1,dice=1d2)")
    throws(ann, room, "1")
    chooses(ann, room, "1")
    record = ann.get(path_of(room, "record"))
    assert record.headers["content-type"] == PLAIN
    assert "attachment" in record.headers["content-disposition"]
    assert room not in record.text
    headers = {"content-type": PLAIN}
    again = ann.client.post("/api/records", content=record.content, headers=headers)
    assert again.status_code == 200
    assert again.json()["players"] == ["Ann"]
    assert again.json()["fault"] is None
    assert len(again.json()["steps"]) == 3


def test_a_record_is_told_at_three_lengths(ann: Person) -> None:
    room, _ = by_hand(ann, game="classic")
    for roll, tiles in (("3+5", "8"), ("1+2", "3"), ("1+2", "1 2")):
        throws(ann, room, roll)
        chooses(ann, room, tiles)
    record = ann.get(path_of(room, "record")).content
    steps = ann.client.post("/api/records", content=record).json()["steps"]
    reading = read(BytesIO(record), game_of)
    for length, field in zip(Length, ("brief", "says", "full"), strict=True):
        lines = narrate(reading.game, reading.play.log, ["Ann"], length)
        assert [tuple(step[field] or step["says"]) for step in steps] == list(lines)
        assert any(step[field] for step in steps)


# The docs, and the bot they show


def test_the_docs_show_the_bot_as_it_is() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    bot = (ROOT / "examples" / "web_bot.py").read_text(encoding="utf-8")
    assert f"```python\n{bot}```" in page
    assert len(bot.splitlines()) <= 40


def test_the_docs_name_every_address_of_the_api() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for endpoint in ACTIONS:
        assert f"| `{endpoint.method} {endpoint.path}` |" in page


def test_the_docs_name_what_a_program_may_send_and_may_be_answered() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for field in fields(requests.NewRoom):
        assert f"| `{field.name}` |" in page
    for field in fields(Allowed):
        assert f"`{field.name}`" in page
    told = document(ACTIONS)["paths"].values()
    answers = {status for path in told for one in path.values() for status in one["responses"]}
    for status in {*answers, "405"} - {"200", "201"}:
        assert f"\n| {status} |" in page
    often, per = limits.ACTIONS_OF_SEAT.split("/")
    assert f"**A seat may act {often} times a {per}.**" in page


BOT = ROOT / "examples" / "web_bot.py"


def _bot(link: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", str(BOT), link, "Robo"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_bot_plays_a_match_to_its_end(afar: Person) -> None:
    seats = [{"who": "link"}, {"who": "computer:most"}]
    opened = afar.open(game="cargo", format="rounds=3", seats=seats)
    with _bot(opened["you"]["links"]["seats"]["0"]) as bot:
        said, wrong = bot.communicate(timeout=60)
    assert bot.returncode == 0, wrong
    view = afar.get(path_of(opened["view"]["room"])).json()["view"]
    assert view["phase"] == "over"
    assert said.strip() == view["table"]["score"]
    assert "Robo" in said


HURRIED = """
import sys
from shutbox.cli.main import main
from shutbox.web import limits
limits.ACTIONS_OF_SEAT = "20/4second"
sys.exit(main(["serve", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_the_bot_outlives_rates_stale_views_and_the_server(tmp_path: Path, how: str) -> None:
    with (
        Served(tmp_path, program=("-c", HURRIED), limited=True) as served,
        served.client() as client,
    ):
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

        with _bot(opened["you"]["links"]["seats"]["0"]) as bot:
            try:
                while bot.poll() is None and refusals() != {409, 429}:
                    # Every stream ends, and what it tells next has the view of before.
                    person.post(f"{about}/renew", seat=-1)
                    time.sleep(0.05)
                assert refusals() == {409, 429}
                if how == "kill":
                    served.kill()
                    served.start()
                else:
                    served.restart()
                said, wrong = bot.communicate(timeout=120)
            finally:
                bot.kill()
        assert bot.returncode == 0, wrong
        view = person.get(about).json()["view"]
        assert view["phase"] == "over"
        assert said.strip() == view["table"]["score"]


def test_every_example_of_the_document_has_its_shape() -> None:
    for shape, example in EXAMPLES.items():
        assert events.shaped(example, shape)
    bodies = [one.get("requestBody", {}) for one in operations()]
    shown = [one["content"].get("application/json", {}).get("example") for one in bodies if one]
    assert [one for one in EXAMPLES.values() if one not in shown] == []


def operations() -> list[dict[str, Any]]:
    return [one for path in document(ACTIONS)["paths"].values() for one in path.values()]


def test_the_examples_work(ann: Person, person: Callable[[], Person]) -> None:
    bob = person()
    opened = ann.client.post("/api/rooms", json=EXAMPLES[requests.NewRoom])
    assert opened.status_code == 201
    id, keys = opened.json()["view"]["room"], opened.json()["keys"]
    assert bob.enter(id, keys["1"], "Bob").status_code == 200
    room = f"/api/rooms/{id}"
    for path, shape in (
        *(("name", requests.NameSeat), ("say", requests.Say), ("renew", requests.Renew)),
        ("leave", requests.AtSeat),
    ):
        answer = ann.client.post(f"{room}/{path}", json=EXAMPLES[shape])
        assert answer.status_code == 200, answer.text
    free = ann.client.post("/api/rooms", json={**EXAMPLES[requests.NewRoom], "action": "another-1"})
    room = f"/api/rooms/{free.json()['view']['room']}"
    answer = ann.client.post(f"{room}/stand-in", json=EXAMPLES[requests.StandIn])
    assert answer.status_code == 200, answer.text
    alone = ann.open(game="classic")["view"]["room"]
    answer = ann.client.post(f"/api/rooms/{alone}/act", json=EXAMPLES[requests.Act])
    assert answer.status_code == 200, answer.text
    ann.play_out(alone)
    answer = ann.client.post(f"/api/rooms/{alone}/rematch", json=EXAMPLES[requests.Again])
    assert answer.status_code == 200, answer.text
