"""A student draws the scores of two games. Needs: matplotlib."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

import shutbox

figure, (left, right) = pyplot.subplots(1, 2)
shutbox.solve("six").plot(left)
shutbox.solve("classic").plot(right, "1.5.9")
assert left.get_title() == "Six (mean)"
assert right.get_legend() is not None
assert shutbox.solve("six", "shut").plot().get_title() == "Six (shut)"
pyplot.close("all")
