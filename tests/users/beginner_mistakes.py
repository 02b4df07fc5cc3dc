"""A beginner writes what seems right, and hears what to write instead."""

from collections.abc import Callable
from typing import Any

import shutbox
from shutbox import ShutboxError
from shutbox.engine.cups import ScriptCup, SeededCup
from shutbox.engine.play import Rolled


def heard(asks: Callable[[], object]) -> str:
    """Return what a call is refused with."""
    try:
        asks()
    except ShutboxError as error:
        return str(error)
    raise AssertionError("it was not refused")


solution = shutbox.solve("classic")
assert "write the roll into it, such as" in heard(solution.best)
assert "shutbox.at('six:1.2')" in heard(lambda: shutbox.find("six:1.2"))
assert "give one of them another name" in heard(lambda: shutbox.find("classic", ["A", "A"]))
assert "hobbs" in heard(lambda: shutbox.bot("hubbs"))
assert "odds about matches" in heard(lambda: shutbox.solve("pub"))
assert "not a number of turns" in heard(lambda: shutbox.simulate("six", turns=0.5))
assert "mean, shut, worst-shut" in heard(lambda: shutbox.solve("six", None, "nonsense"))
assert SeededCup(7) == SeededCup("7")
assert "such as ['3+5', '6+6']" in heard(lambda: ScriptCup("3+5"))
pair = shutbox.find("six", "Ann, Bob")
anything: Any = ["perfect"]
assert "such as {1: 'perfect'}" in heard(lambda: shutbox.Table(pair, bots=anything))
assert "is not a player" in heard(lambda: shutbox.Table(pair, bots={1: anything}))
assert "or a name: Ann and Bob" in heard(lambda: shutbox.Table(pair, bots={"Bib": "perfect"}))
table = shutbox.Table(pair, 7, bots={"Bob": lambda game, position, choices: choices[0]})
assert list(table.bots) == [1]
assert repr(table) == "Table(six[seats=2,rounds=1]:1;0;0;0,0;open, version 0)"
anything = Rolled(shutbox.Roll((3,)))
assert "apply takes what prepare returns" in heard(lambda: table.apply(anything))
anything = "3"
assert "is not an event" in heard(lambda: table.prepare(anything))
six = shutbox.find("six")
assert shutbox.find(six) is six
assert shutbox.at(shutbox.at("six:1.2")) == shutbox.at("six:1.2")
