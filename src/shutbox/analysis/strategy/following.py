"""A turn in which every choice is made, by a named way to play or by a player who is asked.

A named way is followed on the graph of the game, where what leads to the same is one. A player is
asked on the protocol, at each position that his own choices lead to, so that nothing he looks at is
hidden from him. Both give a graph without choices, from which everything else is counted.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic

from shutbox.analysis.solvers.select import cost_of, turns_of
from shutbox.analysis.strategy.heuristics import WAYS
from shutbox.english import listed, shown
from shutbox.errors import IllegalChoice, NotDeterministic, NotUnderstood
from shutbox.game import C, Choose, Game, P, position_text
from shutbox.games.traits import traits_of
from shutbox.player import Player
from shutbox.solver.fold import After, nodes
from shutbox.solver.graph import Builder, Graph
from shutbox.solver.objectives import MEAN
from shutbox.solver.solution import GraphSolution
from shutbox.specialists import PocketSheet, sheets_of

Picks = Callable[[Game[Any, Any], Any, tuple[Any, ...]], Any]
"""A player as a plain function: the game, the position and the choices, and one of these."""
AnyPlayer = Player[Any, Any] | Picks | str
"""A player, a function, or the name of a way to play."""

MOST_SECONDS = 3.0
"""A game that is estimated to take longer to solve has a plain sheet: nobody waits for it in the
middle of a game."""

BEST = "perfect"
NAMES = (BEST, *WAYS, "sheet")
"""The ways to play that have a name."""


@dataclass(frozen=True)
class Followed:
    """A turn in which every choice is made."""

    graph: Graph
    """No choice of it is open."""
    root: int
    """The node where the turn begins."""
    decisions: tuple[int, ...]
    """The nodes at which there was a choice between at least two things."""
    draws: frozenset[int] = frozenset()
    """The nodes with weights at which a choice is drawn, and no dice are thrown."""

    @cached_property
    def often(self) -> list[int]:
        """How often each node is reached, out of the scale of the graph."""
        return self.graph.reached(self.root)


def name_of(player: AnyPlayer) -> str:
    """What a player is called: by his name, that of the function, or that of the class.

    >>> name_of("fewest"), name_of(max)
    ('fewest', 'max')
    """
    if isinstance(player, str):
        return player
    return str(getattr(player, "__name__", "") or type(player).__name__)


def check_player(player: AnyPlayer) -> None:
    """Raise NotUnderstood for what is no player, and for a name that no way to play has."""
    if isinstance(player, str):
        if player not in NAMES:
            raise NotUnderstood(
                "{name} is not a way to play; they are {names}. Any other player is given as it "
                "is, such as shutbox.bot('fixed:pub')",
                name=shown(player),
                names=listed(NAMES),
            )
    elif not callable(getattr(player, "pick", player)):
        raise NotUnderstood(
            "{player} is not a player; it has no method pick, and is no function",
            player=shown(repr(player)),
        )


def is_named(player: AnyPlayer) -> bool:
    """Whether he is followed on the graph of the game, and nobody has to ask him."""
    return isinstance(player, str) or getattr(player, "uniform", False)


def followed(player: AnyPlayer, solution: GraphSolution[Any, Any]) -> Followed:
    """The turn that a player plays, from where a solution begins.

    Raises NotDeterministic for a player who does not always choose the same, unless he takes each
    choice as often as the others; IllegalChoice for one who takes what is not offered, with the
    player and the position; and what the player raises.
    """
    check_player(player)
    if isinstance(player, str):
        return _named(player, solution)
    if is_named(player):
        return _named("random", solution)
    asked = Asked(player, solution.game)
    if not getattr(player, "deterministic", True):
        raise NotDeterministic(
            "{player} says that it does not always choose the same, so what it is worth cannot be "
            "worked out; shutbox.simulate tries it",
            player=asked.name,
        )
    return _asked(asked, solution.start)


def by_sheet(sheet: PocketSheet, solution: GraphSolution[Any, Any]) -> Followed:
    """The turn that somebody plays by a sheet."""
    best = _named(BEST, solution)
    return replace(best, graph=solution.graph.follow(sheet.places(solution)))


def _named(name: str, solution: GraphSolution[Any, Any]) -> Followed:
    graph, root = solution.graph, solution.place(solution.start)
    assert root is not None  # a turn begins with a throw
    decisions = tuple(node for node in graph.choices() if node <= root)
    if name == BEST:
        return Followed(solution.followed, root, decisions)
    if name == "sheet" and (sheet := sheet_of(solution)) is not None:
        return by_sheet(sheet, solution)
    # Without a sheet the first choice is taken.
    made = WAYS["first" if name == "sheet" else name].played(graph)
    thrown = zip(made.weights[: root + 1], graph.weights, strict=False)
    drawn = frozenset(node for node, (falls, dice) in enumerate(thrown) if falls and not dice)
    return Followed(made, root, decisions, drawn)


class Asked(Generic[P, C]):
    """A player who is asked for choices, each of which is checked."""

    def __init__(self, player: Player[P, C] | Picks, game: Game[P, C]) -> None:
        self.game = game
        self.name = name_of(player)
        self._pick: Picks = player.pick if hasattr(player, "pick") else player

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """What the player takes. Raises IllegalChoice for what is not offered."""
        choice: C = self._pick(game, position, choices)
        if choice not in choices:
            raise IllegalChoice(
                "{player} took {choice} at {position}, where the choices are {choices}",
                position,
                player=self.name,
                choice=shown(repr(choice)),
                position=position_text(game, position),
                choices=listed(map(game.choice_text, choices)),
            )
        return choice

    def settled(self, position: P, choices: tuple[C, ...]) -> C:
        """The same, asked twice. Raises NotDeterministic where the answers differ."""
        choice = self.pick(self.game, position, choices)
        if len(choices) > 1 and (other := self.pick(self.game, position, choices)) != choice:
            raise NotDeterministic(
                "{player} took {choice} at {position}, and {other} when asked again; what it is "
                "worth cannot be worked out, but shutbox.simulate tries it",
                player=self.name,
                choice=self.game.choice_text(choice),
                position=position_text(self.game, position),
                other=self.game.choice_text(other),
            )
        return choice


def _asked(asked: Asked[P, C], start: P) -> Followed:
    """The graph of the positions that a player's own choices lead to."""
    builder, decisions = Builder(), list[int]()

    def choose(position: P, choose: Choose[C], after: After[int]) -> int:
        node = builder.stop((after(asked.settled(position, choose.choices)),))
        if len(choose.choices) > 1:
            decisions.append(node)
        return node

    root = nodes(asked.game, builder, choose)(start)
    return Followed(builder.graph(), root, tuple(decisions))


# By a sheet of paper, that people can play by heart


def sheet_of(solution: GraphSolution[Any, Any]) -> PocketSheet | None:
    """The sheet of a game that is solved, fitted to its aim; None where the game has none."""
    game = solution.game
    makes = sheets_of(game)
    if makes is None or not can_be_fitted(game):
        return plain_sheet(game)
    return makes.fitted(game, solution)


def sheet_for(game: Game[Any, Any]) -> PocketSheet | None:
    """The sheet of a game, fitted to the expected score; None where the game has none."""
    if not can_be_fitted(game):
        return plain_sheet(game)
    return sheet_of(GraphSolution(game, MEAN, turns_of(game, game.start())))


def can_be_fitted(game: Game[Any, Any]) -> bool:
    """Whether a game has a sheet that is fitted to it, and that does not take long."""
    return traits_of(game).sheet is not None and cost_of(game, game.start()).seconds <= MOST_SECONDS


def plain_sheet(game: Game[Any, Any]) -> PocketSheet | None:
    """A sheet that takes no solving: Butler's rule of thumb, or accept whatever lies there."""
    makes = sheets_of(game)
    return None if makes is None else makes.plain(game)
