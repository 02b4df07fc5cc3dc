"""The five computer players with names, at a server's tables."""

from people import Person
from shutbox.solving.strategy.fixed import CHARACTERS


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


WAITS = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "link", "name": "Bob"}]


def test_whoever_takes_a_free_seat_has_a_name_of_its_own(ann: Person) -> None:
    """On the plates, in what is said, and in the record."""
    opened = ann.open(game="pub", format="order=seats", seats=WAITS)
    about = f"/api/rooms/{opened['view']['room']}"
    for seat, kind in ((1, "careful"), (2, "most")):
        assert ann.post(f"{about}/stand-in", seat=seat, computer=kind).status_code == 200
    found = ann.get(about).json()
    seats = [(seat["name"], seat["computer"], seat["face"]) for seat in found["view"]["seats"]]
    assert seats == [("Ann", "", ""), ("Hobbs", "careful", "hobbs"), ("Most", "most", "")]
    assert found["view"]["table"]["sheet"]["columns"] == ["Ann", "Hobbs", "Most"]
    said = [line["says"][0] for line in found["log"][:2]]
    assert said == [f"{name}, a computer player, sits down." for name in ("Hobbs", "Most")]
    assert "Player 2" not in str([found["log"], ann.get(f"{about}/record").text])


def test_nobody_is_called_as_somebody_else(ann: Person) -> None:
    seats = [{"who": "me", "name": "hobbs"}, {"who": "link"}]
    room = ann.open(game="pub", seats=seats)["view"]["room"]
    view = ann.post(f"/api/rooms/{room}/stand-in", seat=1, computer="careful").json()["view"]
    assert [seat["name"] for seat in view["seats"]] == ["hobbs", "Hobbs 2"]
