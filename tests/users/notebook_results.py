"""A notebook shows each result in a line or a table. Needs: numpy, gymnasium."""

import shutbox
from shutbox.rl import TurnArrays
from shutbox.solving import MEAN

solution = shutbox.solve("classic")
assert repr(solution) == "Solution(classic, mean = 11.0092, 512 boxes)"
equity = shutbox.equity("six[seats=2]")
table = shutbox.Table("six", 7)
table.throw()
results: list[object] = [
    *(solution, equity, shutbox.review(table), solution.best("1-9/6+6")),
    *(solution.ranked("1-9/6+6"), solution.policy(), equity.outlook()),
    *(shutbox.compare("classic"), shutbox.evaluate("classic", "hobbs"), shutbox.odds("classic")),
    *(shutbox.simulate("classic", turns=100, seed=7), shutbox.advise("classic:1-9/6+6")),
    *(shutbox.fair("six"), shutbox.practice("six")),
    *(TurnArrays.of("six"), shutbox.find("classic"), MEAN, shutbox.at("classic")),
]
for result in results:
    assert len(repr(result)) <= 400, repr(result)
    assert "object at 0x" not in repr(result), repr(result)
for shown in (solution, equity, shutbox.review(table)):
    assert shown._repr_html_().startswith("<table>")
    assert shown._repr_html_().endswith("</table>")
