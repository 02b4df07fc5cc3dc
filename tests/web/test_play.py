"""Play through the API: players' actions, and refusals."""

from people import Person


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
