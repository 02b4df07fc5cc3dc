"""The five computer players with a name, at tables of a server."""

from people import Person
from shutbox.bots import CHARACTERS


def test_programs_are_told_of_all_five(ann: Person) -> None:
    told = ann.get("/api/games").json()["characters"]
    assert [(one["id"], one["kind"], one["level"]) for one in told] == [
        (character.id, character.kind, character.level) for character in CHARACTERS
    ]
    assert all(one["about"] and one["strength"] for one in told)
    assert [one["loss"] for one in told] == [float(character.loss) for character in CHARACTERS]


def test_a_character_sits_down_by_its_name_with_its_face(ann: Person) -> None:
    whos = ("me", "computer:nell", "computer:nell", "computer:fixed:7", "computer:most")
    seats = ann.open(game="pub", seats=[{"who": who} for who in whos])["view"]["seats"]
    assert [(seat["name"], seat["computer"], seat["face"]) for seat in seats] == [
        ("Player", "", ""),
        ("Nell", "fewest", "nell"),
        ("Nell 2", "fewest", "nell"),
        ("Computer 1", "fixed:7", ""),
        ("Computer 2", "most", ""),
    ]


def test_it_answers_to_another_name_too(ann: Person) -> None:
    seats = [{"who": "me"}, {"who": "computer:abacus", "name": "Robo"}]
    found = ann.open(game="pub", seats=seats)["view"]["seats"][1]
    assert (found["name"], found["computer"], found["face"]) == ("Robo", "perfect", "abacus")
