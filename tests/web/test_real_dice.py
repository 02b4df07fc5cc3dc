"""A form for real dice: people throw and type for a computer player, and it chooses by itself."""

from people import Person, path_of
from serving import until

SEATS = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest", "name": "Robo"}]


def test_a_form_types_the_dice_of_a_computer_player(ann: Person) -> None:
    match = {"game": "two-dice", "format": "rounds=1,order=seats", "dice": "hand"}
    room = ann.open(**match, seats=SEATS)["view"]["room"]
    for do, typed in (("throw", "1+1"), ("choose", "2"), ("throw", "1+1")):
        ann.act(room, ann.table(room), do, **{"roll" if do == "throw" else "choice": typed})
    form = {"game": "1", "version": "3", "seat": "1", "do": "throw", "roll": "4+5"}
    assert 'name="roll"' in ann.get(f"/r/{room}").text
    assert ann.client.post(f"/r/{room}/act", data=form).status_code == 200
    until(lambda: ann.get(path_of(room)).json()["view"]["table"]["version"] == 5)
