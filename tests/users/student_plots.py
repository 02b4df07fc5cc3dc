"""A student draws the scores of two games, a race and a review. Needs: matplotlib, numpy."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

import shutbox

figure, (left, right) = pyplot.subplots(1, 2)
shutbox.solve("six").plot(left)
shutbox.solve("classic").plot(right, "1.5.9")
assert left.get_title() == "Six (mean)"
assert right.get_legend() is not None

axes = shutbox.odds("six").plot()
assert "played for the best expected score" in axes.get_title()
assert shutbox.equity("six[seats=2,rounds=3]").plot().get_legend() is not None

table = shutbox.Table("six", 7)
table.throw()
assert shutbox.review(table).plot().get_xlabel().startswith("event")
pyplot.close("all")
