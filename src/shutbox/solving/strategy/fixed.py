"""Fixed strategies, which make every choice of a graph, and the characters that play by them.

Computer players and strategies on a graph use the same rankings, so that both choose alike. The
five characters are computer players with a name, a face and a strategy. A record stores a
character only as a player with its name and its kind of computer player.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache

from shutbox.engine.messages import gettext_noop, pgettext, pgettext_noop
from shutbox.solving.graph import Graph

Rank = Callable[[tuple[int, ...]], list[int]]
"""The rank of a choice by the tiles it takes (0 for a piece without a number); highest is best."""


def rank_by_most(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the number of pieces it takes: more rank higher."""
    return [len(taken)]


def rank_by_fewest(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the number of pieces it takes: fewer rank higher."""
    return [-len(taken)]


def rank_by_highest(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the highest tile it takes, then the next highest."""
    return sorted(taken, reverse=True)


def choose_by_rank(rank: Rank) -> Callable[[Graph], Graph]:
    """Return a function from a graph to one with all choices made: the first of the highest rank.

    `rank` takes the tiles of a choice. Where the number of dice is chosen, the fewest are thrown.
    """

    def choose(graph: Graph) -> Graph:
        @cache
        def index_of_best(label: Hashable) -> int:
            ranks = list(map(rank, graph.taken(label)))
            return ranks.index(max(ranks))

        indices = {node: index_of_best(label) for node, label in graph.labels.items()}
        return graph.with_choices(dict.fromkeys(graph.choice_nodes(), 0) | indices)

    return choose


def choose_safest(graph: Graph) -> Graph:
    """Return the graph with every choice made so that the next throw loses the turn least often."""
    lost = {node for node, (_, shut) in graph.ends.items() if not shut}
    risks: list[int] = []  # out of `total`; -1 if nothing can be lost any more
    for node, (children, weights) in enumerate(zip(graph.children, graph.weights, strict=True)):
        if weights:
            outcomes = zip(children, weights, strict=True)
            risks.append(sum(weight for child, weight in outcomes if child in lost))
        elif children:
            risks.append(min(risks[child] for child in children))
        else:
            risks.append(graph.total if node in lost else -1)
    indices = {}
    for node in graph.choice_nodes():
        child_risks = [risks[child] for child in graph.children[node]]
        indices[node] = child_risks.index(min(child_risks))
    return graph.with_choices(indices)


STRATEGIES: dict[str, Callable[[Graph], Graph]] = {
    "fewest": choose_by_rank(rank_by_fewest),
    "most": choose_by_rank(rank_by_most),
    "highest": choose_by_rank(rank_by_highest),
    "first": choose_by_rank(lambda _: []),
    "careful": choose_safest,
    "random": Graph.at_random,
}
"""The functions that make every choice of a graph, by the names of their strategies. They work in
every game; computer players have the same names."""

BEST = "perfect"
NAMES = (BEST, *STRATEGIES, "sheet")  # the names of all strategies


_STRENGTHS = (
    pgettext_noop("strength of a player", "Novice"),
    pgettext_noop("strength of a player", "Casual"),
    pgettext_noop("strength of a player", "Steady"),
    pgettext_noop("strength of a player", "Sharp"),
    pgettext_noop("strength of a player", "Perfect"),
)


@dataclass(frozen=True, slots=True)
class Character:
    """A computer player with a name, a face and a strategy."""

    id: str  # as it is typed, and the name of its face
    kind: str  # the kind of computer player
    about: str  # a sentence on how it plays, a template for `gettext`

    @property
    def name(self) -> str:
        """The name of the character, the same in every language."""
        return self.id.capitalize()

    @property
    def level(self) -> int:
        """The strength of the character, from 1 for the weakest to 5."""
        return 1 + CHARACTERS.index(self)

    @property
    def strength(self) -> str:
        """The level in a word, such as "Novice", in the language in use."""
        return pgettext("strength of a player", _STRENGTHS[self.level - 1])


CHARACTERS = (  # the weakest first: that is by what they lose in a turn of Classic
    Character("pip", "random", gettext_noop("Takes whatever comes to mind.")),
    Character("nell", "fewest", gettext_noop("Covers the big tiles first.")),
    Character("hobbs", "careful", gettext_noop("Looks one throw ahead.")),
    Character("odette", "sheet", gettext_noop("Plays from a sheet of paper.")),
    Character("abacus", "perfect", gettext_noop("Knows every position.")),
)


def character_of(kind: str) -> Character | None:
    """Return the character of this kind of computer player, or None if there is none.

    >>> character_of("careful").name, character_of("fixed:7")
    ('Hobbs', None)
    """
    return next((character for character in CHARACTERS if character.kind == kind), None)


def kind_of(player: str) -> str:
    """Return the kind of computer player that a text means: a character's, or the text itself."""
    word = player.strip().lower()
    return next((character.kind for character in CHARACTERS if character.id == word), player)
