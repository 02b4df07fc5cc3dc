"""An app tells what a choice costs, in a turn and in a match. Needs: numpy."""

import shutbox

advice = shutbox.advise("classic", "1.3.4.9/1+3")
assert advice.best.text == "4"
print(advice.why)

equity = shutbox.equity("six[seats=2,rounds=3]")
here = "3;0;0;20=9,18;t1;1-6/3"
share = equity.share(here, "Player 2")
best = equity.best(here)
assert abs(share - float(best.value)) < 1e-9
table = shutbox.Table(equity.match, 7)
table.throw()
assert shutbox.advise(table).best.cost == 0
assert equity.ranked(table)[0].cost == 0
