"""A student checks a value by hand and keeps it exact."""

from fractions import Fraction

import shutbox

solution = shutbox.solve("six", exact=True)
value: Fraction = solution.value("1.2")
assert value == Fraction(23, 12)

by_score: dict[int, Fraction] = solution.distribution()
mean = sum((score * chance for score, chance in by_score.items()), start=Fraction(0))
assert mean == solution.value()

shut: Fraction = shutbox.solve("six", "shut", exact=True).value()
print(f"{solution}: mean {float(mean):.4f}, shut {float(shut):.4f}")
