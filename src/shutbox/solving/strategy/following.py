"""Policy evaluation: the graph of a turn in which a strategy or a player has made every choice.

A named strategy is applied to the graph of the game, in which equivalent positions are merged. Any
other player is queried at each position that its own choices lead to, and so sees every detail.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Generic

from shutbox.engine.english import listed, safe_text, shown
from shutbox.engine.errors import IllegalChoice, NotDeterministic, NotUnderstood
from shutbox.engine.game import C, Choose, Game, P, position_text
from shutbox.engine.play import Player
from shutbox.games.traits import traits_of
from shutbox.solving.fold import ResultOf, node_fold
from shutbox.solving.graph import Builder, Graph
from shutbox.solving.graph_solution import GraphSolution
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.solvers import solve_turn
from shutbox.solving.strategy.fixed import BEST, STRATEGIES, kind_of
from shutbox.table.solver_input import turn_meant

if TYPE_CHECKING:
    from shutbox.solving.box.sheet import BoxSheet

Picks = Callable[[Game[Any, Any], Any, tuple[Any, ...]], Any]
"""A player as a function of the game, the position and the choices; it returns one choice."""
Strategy = Player[Any, Any] | Picks | str  # or one of `NAMES`

MOST_SECONDS = 3.0  # estimated, to solve a game for its sheet
FITTING = 12  # a sheet takes up to this many times as long to fit as its game to solve


@dataclass(frozen=True)
class PolicyGraph:
    """The graph of a turn in which every choice has been made, and the nodes of the choices."""

    graph: Graph
    root: int  # the node where the turn begins
    decisions: tuple[int, ...]  # the nodes at which there was a choice between at least two options
    draws: frozenset[int] = frozenset()  # the nodes whose weights draw a choice, not dice


def name_of(player: Strategy) -> str:
    """Return the name of a player: the given name, or that of the function or the class."""
    if isinstance(player, str):
        return player
    return str(getattr(player, "__name__", "") or type(player).__name__)


def is_named(player: Strategy) -> bool:
    """Whether a player is a name or has `uniform = True`, and need not be queried."""
    return isinstance(player, str) or getattr(player, "uniform", False)


def policy_graph_of(player: Strategy, solution: GraphSolution[Any, Any]) -> PolicyGraph:
    """Return the turn of a player, from the start of a solution, with every choice made.

    Raises NotDeterministic for a player that varies or says so (`deterministic = False`), unless it
    is `uniform`; IllegalChoice for a choice that is not offered; and what the player raises.
    """
    if isinstance(player, str):
        return _graph_of_strategy(player, solution)
    if is_named(player):
        return _graph_of_strategy("random", solution)
    checked = CheckedPlayer(player, solution.game)
    if not getattr(player, "deterministic", True):
        raise NotDeterministic(
            "{player} says that it does not always choose the same, so what it is worth cannot be "
            "worked out; shutbox.simulate tries it",
            player=checked.name,
        )
    return _graph_of_queries(checked, solution.start)


def _graph_of_strategy(name: str, solution: GraphSolution[Any, Any]) -> PolicyGraph:
    name = kind_of(name)
    graph, root = solution.graph, solution.place(solution.start)
    assert root is not None  # a turn begins with a throw
    decisions = tuple(node for node in graph.choice_nodes() if node <= root)
    if name == "sheet":
        if (sheet := sheet_for(solution.game, solution=solution)) is not None:
            return PolicyGraph(graph.with_choices(sheet.child_indices(solution)), root, decisions)
        name = BEST if is_quick(solution.game) else "first"
    if name == BEST:
        return PolicyGraph(solution.policy_graph, root, decisions)
    chosen = STRATEGIES[name](graph)
    thrown = zip(chosen.weights[: root + 1], graph.weights, strict=False)
    drawn = frozenset(node for node, (falls, dice) in enumerate(thrown) if falls and not dice)
    return PolicyGraph(chosen, root, decisions, drawn)


class CheckedPlayer(Generic[P, C]):
    """A wrapper of a player that checks each of its choices."""

    def __init__(self, player: Player[P, C] | Picks, game: Game[P, C]) -> None:
        self.game = game
        self.name = name_of(player)
        self._pick: Picks = player.pick if hasattr(player, "pick") else player

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the player's choice. Raises IllegalChoice if it is not offered."""
        choice: C = self._pick(game, position, choices)
        if choice not in choices:
            raise IllegalChoice(
                "{player} took {choice} at {position}, where the choices are {choices}",
                position,
                player=self.name,
                choice=shown(safe_text(choice)),
                position=position_text(game, position),
                choices=listed(map(game.choice_text, choices)),
            )
        return choice

    def pick_twice(self, position: P, choices: tuple[C, ...]) -> C:
        """Return the choice, by two `pick`s unless forced. Raises NotDeterministic if it varies."""
        choice = self.pick(self.game, position, choices)
        if len(choices) > 1 and (other := self.pick(self.game, position, choices)) != choice:
            raise NotDeterministic(
                "{player} took {choice} at {position}, and {other} when asked again; a "
                "player that varies says so with deterministic = False, and is only simulated",
                player=self.name,
                choice=self.game.choice_text(choice),
                position=position_text(self.game, position),
                other=self.game.choice_text(other),
            )
        return choice


def _graph_of_queries(player: CheckedPlayer[P, C], start: P) -> PolicyGraph:
    """Return the turn from `start` on through the positions that a player's choices lead to."""
    builder, decisions = Builder(), list[int]()

    def choose(position: P, choose: Choose[C], after: ResultOf[int]) -> int:
        node = builder.choice((after(player.pick_twice(position, choose.choices)),), keep=True)
        if len(choose.choices) > 1:
            decisions.append(node)
        return node

    root = node_fold(player.game, builder, choose)(start)
    return PolicyGraph(builder.graph(), root, tuple(decisions))


# Strategies on one sheet of paper, simple enough to learn by heart


def sheet_for(
    game: Game[Any, Any],
    aim: Aim = MEAN,
    solution: GraphSolution[Any, Any] | None = None,
    seconds: float = inf,
) -> "BoxSheet | None":
    """Return a game's sheet, fitted to `solution` if given, else to `aim`; None if it has no sheet.

    If it is not `is_quick`, even with a `solution`, return a plain one: fewest tiles.
    """
    if not traits_of(game).sheet:
        return None
    from shutbox.solving.box import sheet  # most players never need it

    box: Any = game  # nothing else has a sheet
    if not is_quick(game, seconds):
        return sheet.plain_sheet(box)
    return sheet.fit_sheet(box, solution or solve_turn(game, aim))


def sheet(game: Game[Any, Any] | str, aim: Aim | str = MEAN) -> "BoxSheet":
    """Return a strategy that fits on one sheet of paper, made for an aim.

    >>> import shutbox
    >>> print(shutbox.sheet("six").lines[0])
    Points of the tiles: 1 has 4, 2 has 4, 3 has 4, 4 has 4, 5 has 4 and 6 has 4.

    If fitting one to the aim would take too long, it is Butler's rule: the fewest tiles. Raises
    NotUnderstood for a match, an unknown aim or a game without a sheet, such as Cargo, TooLarge for
    one without scores or end, and what `find` raises.
    """
    game = turn_meant(game)
    fitted = sheet_for(game, aim_named(aim, game))
    if fitted is None:
        raise NotUnderstood("there is no sheet for {game}; boxes have one", game=game.name)
    return fitted


def sheet_player(
    game: Game[Any, Any], seconds: float = inf
) -> Callable[[Any, tuple[Any, ...]], Any]:
    """Return a function that picks a choice of a turn, by the sheet for the expected score.

    A game without a sheet is played perfectly, or by its first choices if it is not `is_quick`.
    """
    if (sheet := sheet_for(game, seconds=seconds)) is not None:
        return sheet.pick
    if not is_quick(game, seconds):
        return lambda position, choices: choices[0]
    solution = solve_turn(game, MEAN)
    return lambda position, choices: solution.options(position).choice


def is_quick(game: Game[Any, Any], seconds: float = inf) -> bool:
    """Whether by estimate a game is solved in MOST_SECONDS, and with its sheet in `seconds`."""
    if (cost := traits_of(game).cost) is None:
        return False
    solving = cost(game.start()).seconds
    return solving <= MOST_SECONDS and solving * (1 + FITTING * traits_of(game).sheet) <= seconds
