"""Sealed tables of a server for tests: words given, games played out, and envelopes opened."""

from typing import Any

from people import Person
from sealed import verify_dice
from serving import until

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


def dice_of(person: Person, room: str) -> dict[str, Any]:
    """The sealed dice of a table as a person sees them."""
    found: dict[str, Any] = person.get(f"/api/rooms/{room}").json()["view"]["seal"]
    return found


def word(person: Person, room: str, seat: int, text: str) -> Any:
    """Give a word."""
    gid = dice_of(person, room)["gid"]
    return person.post(f"/api/rooms/{room}/word", gid=gid, seat=seat, word=text)


def opened(person: Person, room: str) -> str:
    """The record of a game, once its envelope is open."""
    until(lambda: dice_of(person, room)["state"] == "open")
    return str(person.get(f"/api/rooms/{room}/record").text)


def problems(record: str, ticket: str) -> list[str]:
    """What the verifier that shares no code with the package finds."""
    found: list[str] = verify_dice.problems(record, ticket)
    return found


def at_two(ann: Person, bob: Person, **more: Any) -> str:
    start = ann.open(**{"game": "pub", "format": "order=seats", "seats": TWO, **more})
    room: str = start["view"]["room"]
    assert bob.enter(room, start["keys"]["1"], "Bob").status_code == 200
    return room


def play_out(room: str, *people: Person) -> None:
    while (table := people[0].table(room))["does"] != "over":
        seats = {s: p for p in people for s in p.get(f"/api/rooms/{room}").json()["you"]["seats"]}
        seats[table["seat"]].step(room, table)
