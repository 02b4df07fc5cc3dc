"""An app plays one turn: it shows the table, throws, and lets a person choose."""

import shutbox

table = shutbox.Table("classic", "pub")
shown = []
while (due := table.due) is not None:
    scene = table.scene
    if isinstance(table.awaits, shutbox.Throw):
        roll = table.throw(seat=due)
        shown.append(f"{scene.board} You throw {roll}.")
    else:
        offer = table.choose(scene.offers[0].text)
        shown.append(offer.done)
over = table.awaits
assert isinstance(over, shutbox.Over)
print(*shown, f"Score: {over.scores[0]}", sep="\n")
assert table.text.startswith("classic:")
