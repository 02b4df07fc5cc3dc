"""Writes the file of values that goes with a release, build/values.json: `make values`.

    python docs/value_file.py            # every game that can be solved
    python docs/value_file.py six ten    # only these

`shutbox verify-values FILE` solves the games again and compares. The situations are drawn with a
seed of their own, so the file is the same each time.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from shutbox import Choose, Throw, catalogue, find, position_text, solve
from shutbox.analysis.value_file import DIGITS, FORMAT, hash_of
from shutbox.games.traits import traits_of

FILE = Path(__file__).parents[1] / "build" / "values.json"
AIMS = ("mean", "shut")
SITUATIONS = 300
MOST_EVENTS = 20_000
"""The throws and choices that are played to find situations of a game."""
MOST_POSITIONS = 1 << 18
"""A game with more positions before a throw only has the value of its start."""


def situations(game: Any, number: int) -> list[Any]:
    """Return positions with at least two choices, from games that are played at random.

    There are fewer of a game that hardly ever has a choice.
    """
    chance, found = Random(game.name), dict[Any, None]()
    position = game.start()
    for _ in range(MOST_EVENTS):
        match game.awaits(position):
            case Throw(dice=dice):
                rolls, weights = zip(*dice.outcomes(), strict=True)
                position = game.rolled(position, chance.choices(rolls, weights)[0])
            case Choose(choices=choices):
                if len(choices) > 1:
                    found[position] = None
                position = game.chosen(position, chance.choice(choices))
            case _:
                position = game.start()
        if len(found) >= number:
            break
    return list(found)


def stanza(name: str, number: int) -> dict[str, Any]:
    """Return the values of a game under each aim, with this many situations in total."""
    game = find(name)
    drawn, result = situations(game, number), {}
    for place, aim in enumerate(AIMS):
        solution = solve(game, aim)
        small = (traits_of(game).most_positions or 0) <= MOST_POSITIONS
        before = (
            [p for p in solution.positions() if isinstance(game.awaits(p), Throw)]
            if small
            else [game.start()]
        )
        result[aim] = {
            "values": {id_of(game, p): rounded(solution.value(p)) for p in before},
            "situations": {
                id_of(game, p): {one.text: rounded(one.value) for one in solution.ranked(p)}
                for p in drawn[place :: len(AIMS)]
            },
        }
    return result


def id_of(game: Any, position: Any) -> str:
    """Return the part of a position text after the colon."""
    return position_text(game, position).rpartition(":")[2]


def rounded(value: Any) -> float:
    """Return a value with the digits that do not depend on the machine."""
    return float(f"{float(value):.{DIGITS}g}")


def stanzas(names: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each game and its stanza; the situations are shared out among the games to come."""
    left = SITUATIONS
    for place, name in enumerate(names):
        print(name, flush=True)
        found = stanza(name, -(-left // (len(names) - place)))
        left -= sum(len(found[aim]["situations"]) for aim in AIMS)
        yield name, found


if __name__ == "__main__":
    solved = [one.name for one in catalogue() if traits_of(find(one.name)).cost is not None]
    games = dict(stanzas(sys.argv[1:] or solved))
    FILE.parent.mkdir(exist_ok=True)
    data = {"format": FORMAT, "hash": hash_of(games), "games": games}
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    print(f"{FILE}: {len(games)} games, hash {data['hash']}")
