"""Play through the API: players' actions, and refusals."""

from collections.abc import Callable

from people import Person

PUB = [{"who": "me", "name": "Ann"}, {"who": "link"}]


def test_a_game_alone_is_played_to_its_end(ann: Person) -> None:
    opened = ann.open(game="classic")
    room = opened["view"]["room"]
    table = ann.play_out(room)
    assert len(table["scores"]) == 1
    assert ann.get(f"/api/rooms/{room}").json()["view"]["phase"] == "over"


def test_a_line_about_several_dice_is_done_whole_or_not_at_all(ann: Person) -> None:
    room = ann.open(game="tray(dice=3d6)")["view"]["room"]
    table = ann.step(room, ann.table(room))
    wrong = ann.act(room, table, "choose", choice="remove 1 2 3 4 5 6")
    assert wrong.status_code == 422
    assert ann.table(room) == table
    done = ann.act(room, table, "choose", choice="hold all").json()
    assert done["view"]["table"]["version"] == table["version"] + 3
    assert done["view"]["table"]["dice"].endswith("Every die is held.")
    log = ann.get(f"/api/rooms/{room}").json()["log"]
    assert [line["kind"] for line in log[-3:]] == ["choose"] * 3


def test_an_action_that_is_repeated_is_done_once(ann: Person) -> None:
    opened = ann.open(game="classic")
    room, table = opened["view"]["room"], opened["view"]["table"]
    first = ann.act(room, table, "throw", action="the-same-one")
    again = ann.act(room, table, "throw", action="the-same-one")
    assert first.status_code == again.status_code == 200
    assert first.json()["number"] == again.json()["number"]
    assert first.json()["said"] == again.json()["said"]
    assert ann.table(room)["version"] == 1


def test_opening_again_shows_nobody_elses_key(person: Callable[[], Person]) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", seats=PUB, action="the-same-opening")
    room = opened["view"]["room"]
    bobs = bob.enter(room, opened["keys"]["1"], "Bob").json()["key"]
    again = ann.open(game="pub", seats=PUB, action="the-same-opening")
    other = ann.open(game="classic", action="the-same-opening")  # which is another opening
    assert other["view"]["room"] != opened["view"]["room"]
    assert again["view"]["room"] == room
    assert sorted(again["keys"]) == ["0", "host", "watch"]
    assert bobs not in str(again)


def test_opening_again_gives_back_no_seat_that_was_made_anew(person: Callable[[], Person]) -> None:
    library, phone = person(), person()
    secret = {"Authorization": "Bearer a-secret-of-anns"}
    body = {"game": "classic", "action": "the-same-opening"}
    opened = library.client.post("/api/rooms", json=body, headers=secret).json()
    room = opened["view"]["room"]
    phone.enter(room, opened["keys"]["0"])
    assert phone.post(f"/api/rooms/{room}/renew", seat=0).status_code == 200
    again = library.client.post("/api/rooms", json=body, headers=secret).json()
    assert again["you"]["seats"] == []
    assert "0" not in again["keys"]


def test_a_device_that_lost_the_answer_to_its_entering_is_let_in(
    person: Callable[[], Person],
) -> None:
    ann, lost, back = person(), person(), person()
    opened = ann.open(game="pub", seats=PUB)
    room = opened["view"]["room"]
    asked = {"key": opened["keys"]["1"], "name": "Bob", "action": "the-same-entering"}
    assert lost.post(f"/api/rooms/{room}/enter", **asked).status_code == 200
    # The cookie was in the answer that was lost: the page asks again without it.
    assert back.post(f"/api/rooms/{room}/enter", **asked).json()["seat"] == 1
    assert back.get(f"/api/rooms/{room}").json()["you"]["seats"] == [1]


def test_without_script_the_coach_speaks_too(ann: Person) -> None:
    opened = ann.open(game="classic", coach=True)
    room, table = opened["view"]["room"], ann.step(opened["view"]["room"], opened["view"]["table"])
    form = {"action": "coached-choice-1", "game": 1, "version": table["version"], "seat": 0}
    page = ann.client.post(
        f"/r/{room}/act", data={**form, "do": "choose", "choice": table["offers"][0]["text"]}
    )
    assert page.status_code == 200
    if len(table["offers"]) > 1:
        assert "Best." in page.text or "That costs" in page.text
