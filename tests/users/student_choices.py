"""A student reads which choice is best, and by how much. Needs: pandas."""

import shutbox

classic = shutbox.solve("classic")
best = classic.best("1-9/3+5")
assert (best.text, best.cost) == ("8", 0)
for option in classic.ranked("1-9/3+5"):
    print(f"{option.text:>6} {float(option.value):8.4f} {float(option.cost):8.4f}")

frame = classic.ranked("1-9/3+5").to_frame()
assert list(frame.columns) == ["choice", "value", "cost"]
assert frame["choice"][0] == "8"

game = classic.game
here = game.position_at("1-9/3+5")
assert game.position_id(game.chosen(here, best.choice)) == "1.2.3.4.5.6.7.9"
