"""An app plays a game, and shows afterwards what was luck and what was skill."""

import shutbox

table = shutbox.Table("six", "pub")
while not isinstance(awaited := table.awaits, shutbox.Over):
    if isinstance(awaited, shutbox.Throw):
        table.throw()
    else:
        table.choose(awaited.choices[-1])
review = shutbox.review(table)
[seat] = review.seats
assert seat.result == awaited.scores[0]
assert seat.cost == sum(choice.cost for choice in review.choices)
print(review)
