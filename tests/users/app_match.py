"""An app plays a match of a person and a computer player, who act by their names."""

import shutbox

match = shutbox.find("classic", ["Ann", "Hobbs"], "rounds=2")
table = shutbox.Table(match, 7, bots={1: "hobbs"})
while table.due is not None:
    name = match.players[table.due]
    if isinstance(table.awaits, shutbox.Throw):
        table.throw(seat=name)
    elif name == "Hobbs":
        table.bot_chooses()
    else:
        assert isinstance(table.awaits, shutbox.Choose)
        table.choose(table.awaits.choices[0], seat="Ann")
over = table.awaits
assert isinstance(over, shutbox.Over)
print([match.players[seat] for seat in over.winners], over.scores)
