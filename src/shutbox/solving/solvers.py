"""The choice of a solver for a game, with an estimate of the cost.

Small games are solved in exact fractions, with no extra installed. Large boxes go to the compiled
kernel of the extra `fast`, which computes in floats. A game that neither can solve within the
limits is refused with an estimate, unless `anyway` is set.
"""

from contextlib import suppress
from typing import Any, Literal, TypedDict, Unpack, overload

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Game, Placed
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.games.traits import Cost, traits_of
from shutbox.solving import compiled
from shutbox.solving.box.box_graph import BoxGraph
from shutbox.solving.fold import GameGraph, check_has_values
from shutbox.solving.graph_solution import GraphSolution, Turns
from shutbox.solving.objectives import MEAN, Aim
from shutbox.solving.progress import Progress, no_progress, progress_meant
from shutbox.solving.solution import Solution
from shutbox.table.solver_input import turn_and_aim

MOST_SECONDS = 600  # a game that is estimated to take longer is refused
MOST_MEMORY = 2 << 30  # a game that is estimated to take more bytes is refused
BY_GRAPH = 4.0  # estimated seconds up to which fractions are used even if floats are possible


def cost_in_words(cost: Cost) -> str:
    """Return the seconds and bytes of a cost in words.

    >>> cost_in_words(Cost(512, 250.0, 3 * 10**9))
    'about 4 minutes and 3 GB'
    """
    return gettext(
        "about {time} and {memory}", time=_time(cost.seconds), memory=size_words(cost.memory)
    )


def _time(seconds: float) -> str:
    if seconds >= 2 * 31_557_600:
        return ngettext("{number} year", "{number} years", round(seconds / 31_557_600))
    if seconds >= 2 * 86_400:
        return ngettext("{number} day", "{number} days", round(seconds / 86_400))
    if seconds >= 2 * 3600:
        return ngettext("{number} hour", "{number} hours", round(seconds / 3600))
    if seconds >= 2 * 60:
        return ngettext("{number} minute", "{number} minutes", round(seconds / 60))
    return ngettext("{number} second", "{number} seconds", max(1, round(seconds)))


def size_words(memory: int) -> str:
    """Return a number of bytes in words.

    >>> size_words(2 << 30), size_words(64 << 20)
    ('2 GB', '67 MB')
    """
    for unit, length in (("TB", 10**12), ("GB", 10**9)):
        if memory >= length:
            return f"{memory / length:,.0f} {unit}"
    return f"{max(1, memory // 10**6)} MB"


def is_within_limits(cost: Cost) -> bool:
    """Whether a cost is within MOST_SECONDS and MOST_MEMORY."""
    return cost.seconds <= MOST_SECONDS and cost.memory <= MOST_MEMORY


def too_costly(
    says: str,
    cost: Cost,
    seconds: float = MOST_SECONDS,
    memory: int = MOST_MEMORY,
    **facts: Any,
) -> TooLarge:
    """Return the refusal `says`, a template that can name `facts`, the cost and the limits.

    These are `cost`, `positions`, `seconds` and `memory`; all but `positions` are in words.
    """
    facts |= {"positions": cost.positions, "cost": cost_in_words(cost)}
    facts |= {"seconds": _time(seconds), "memory": size_words(memory)}
    return TooLarge(says, costly=True, **facts)


_IN_FRACTIONS = gettext_noop(
    "{game}: {positions:,} positions take {cost} in exact fractions; at most {seconds} and "
    "{memory} are spent"
)


def graph_of_turn(
    game: Game[Any, Any], position: Any, progress: Progress = no_progress
) -> Turns[Any]:
    """Return the graph of a turn of a game from a position on, built now.

    Raises TooLarge as `Fold` does, and what `progress` raises.
    """
    if (box := _as_box(game)) is not None:
        return BoxGraph(box.packed(position), progress)
    return GameGraph(game, position, traits_of(game).canonical, progress)


def _as_box(game: Game[Any, Any]) -> Any:
    """Return a game with the traits of a box, which `solving.box` solves; None for other games."""
    return None if traits_of(game).packed is None else game


def cost_of(game: Game[Any, Any], position: Any) -> Cost:
    """Estimate the cost of solving a game from a position on, in exact fractions.

    Raises TooLarge for a game whose traits have no estimate.
    """
    cost = traits_of(game).cost
    if cost is None:
        raise TooLarge(
            "{game} does not say what solving it takes, so nobody knows whether it would end",
            costly=True,
            game=game.name,
        )
    return cost(position)


def check_cost(game: Game[Any, Any], position: Any, *, times: int = 1) -> None:
    """Raise TooLarge unless the estimate for solving exactly, `times` times, is within limits."""
    cost = cost_of(game, position)
    cost = cost._replace(seconds=cost.seconds * times)
    if not is_within_limits(cost):
        raise too_costly(_IN_FRACTIONS, cost, game=game.name)


class _How(TypedDict, total=False):
    anyway: bool
    progress: Progress | None


@overload
def solve(
    game: Game[Any, Any] | Placed | str,
    position: Any = ...,
    aim: Aim | str = ...,
    *,
    exact: Literal[True],
    **how: Unpack[_How],
) -> GraphSolution[Any, Any]: ...
@overload
def solve(
    game: Game[Any, Any] | Placed | str,
    position: Any = ...,
    aim: Aim | str = ...,
    *,
    exact: bool = ...,
    **how: Unpack[_How],
) -> Solution[Any, Any]: ...
def solve(
    game: Game[Any, Any] | Placed | str,
    position: Any = None,
    aim: Aim | str = MEAN,
    *,
    exact: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Solution[Any, Any]:
    """Solve a game for an aim, from a position on or from its start.

    Game, position and aim can be given as text: `classic`, `2.4.5.9/4+5`, `shut`. The game can also
    be a position with its game, as in `shutbox.at`. Without a position, the aim can be the second
    argument. The traits of the game decide which solver it gets. `exact` demands exact fractions
    even if floats are faster. `anyway` ignores the limits. `progress` is called now and then with
    the number of positions done and of all (0: unknown). A solution in floats is kept in a file of
    the user's cache, and read from it.

    >>> import shutbox
    >>> solution = shutbox.solve("classic")
    >>> round(float(solution.value()), 4), round(float(solution.value("2.4.5.9/4+5")), 4)
    (11.0092, 5.7302)
    >>> shutbox.solve("six", "shut").value(), shutbox.solve("six:1.2.3", "shut").value()
    (Fraction(145, 1944), Fraction(1, 3))

    Raises TooLarge for a game that has no scores or can go on forever, and, unless `anyway` is
    set, if the estimate is beyond the limits or there is none; NotUnderstood for a match, an
    unknown aim or anything that is no position; and what `find` and `Game.position_at` raise.
    """
    turn = turn_and_aim(game, position, aim)
    return solve_from(*turn, progress_meant(progress), exact=exact, anyway=anyway)


def solve_from(
    game: Game[Any, Any],
    position: Any = None,
    aim: Aim = MEAN,
    progress: Progress = no_progress,
    *,
    exact: bool = False,
    anyway: bool = False,
) -> Solution[Any, Any]:
    """Solve a game as `solve` does, from a position on that is no text; None is the start."""
    check_has_values(game)
    position = game.start() if position is None else position
    estimated = not anyway or traits_of(game).cost is not None
    if estimated and _choose_solver(game, position, exact=exact, anyway=anyway)[1]:
        # Imported here and below, because small boxes, which nearly all are, never need it.
        from shutbox.solving.box.fast import FastSolution

        box = _as_box(game)
        return FastSolution(box, box.packed(position), aim, progress, position)
    return GraphSolution(game, aim, graph_of_turn(game, position, progress), position)


def solve_turn(
    game: Game[Any, Any], aim: Aim, progress: Progress = no_progress
) -> GraphSolution[Any, Any]:
    """Return a game solved from its start in exact fractions, without a limit of time or memory.

    Raises TooLarge as `Fold` does.
    """
    return GraphSolution(game, aim, graph_of_turn(game, game.start(), progress))


class Solutions:
    """A cache of games solved from their start, and of one solved only from a later position.

    Methods raise TooLarge for a game that `solve` refuses, or that is estimated to take more than
    `seconds` or bytes of `memory`; with `anyway` there are no limits.
    """

    def __init__(
        self,
        *,
        seconds: float = MOST_SECONDS,
        memory: int = MOST_MEMORY,
        anyway: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        self.seconds, self.memory, self.anyway, self.progress = seconds, memory, anyway, progress
        self._whole: dict[tuple[Game[Any, Any], Aim], Solution[Any, Any]] = {}
        self._rest: Solution[Any, Any] | None = None

    def whole(self, game: Game[Any, Any], aim: Aim = MEAN) -> Solution[Any, Any]:
        """Return a game solved from its start, as `solve_from` solves it; cached."""
        if (game, aim) not in self._whole:
            self._check(game, game.start())
            self._whole[game, aim] = solve_from(game, None, aim, self.progress, anyway=self.anyway)
        return self._whole[game, aim]

    def at(
        self, game: Game[Any, Any], position: Any, aim: Aim = MEAN, *, whole: bool = True
    ) -> Solution[Any, Any]:
        """Return a solution that holds a position, cached or new.

        It is of the whole game only if `whole` is set and the limits allow that.
        """
        rest = self._rest
        if rest is not None and (rest.game, rest.aim) == (game, aim) and rest.holds(position):
            return rest
        with suppress(TooLarge):
            if whole and (solution := self.whole(game, aim)).holds(position):
                return solution
        self._check(game, position)
        self._rest = solve_from(game, position, aim, self.progress, anyway=self.anyway)
        return self._rest

    def _check(self, game: Game[Any, Any], position: Any) -> None:
        if self.anyway:
            return
        cost = check_solvable(game, position)
        if cost.seconds > self.seconds or cost.memory > self.memory:
            says = gettext_noop(
                "{game}: to solve it takes {cost}; at most {seconds} and {memory} are spent"
            )
            raise too_costly(says, cost, self.seconds, self.memory, game=game.name)


def check_solvable(game: Game[Any, Any], position: Any = None) -> Cost:
    """Estimate what `solve` takes, by default from the start. Raises TooLarge if `solve` would."""
    check_has_values(game)
    return _choose_solver(game, game.start() if position is None else position)[0]


def whole_cost(game: Game[Any, Any]) -> Cost | None:
    """Estimate what `solve` takes from the start; None if it would refuse."""
    with suppress(TooLarge):
        return check_solvable(game)
    return None


def _choose_solver(
    game: Game[Any, Any], position: Any, *, exact: bool = False, anyway: bool = False
) -> tuple[Cost, bool]:
    """Return the estimated cost of a game, and whether floats are used. Raises TooLarge."""
    cost, in_floats, extra = cost_of(game, position), None, ""
    if not exact and cost.seconds > BY_GRAPH and (box := _as_box(game)) is not None:
        from shutbox.solving.box import fast

        in_floats = fast.cost_in_floats(box.packed(position))
    if in_floats is not None and (anyway or is_within_limits(in_floats)):
        if compiled.installed():
            return in_floats, True
        extra = "fast"
    if anyway or is_within_limits(cost):
        return cost, False
    refused = too_costly(_IN_FRACTIONS, cost, game=game.name)
    if in_floats is None:
        raise refused
    says = gettext_noop("{reason}. In floats it takes {quick}")
    if extra:
        says = gettext_noop(
            "{reason}. With the extra fast, in a clone of shutbox pip install '.[fast]', it takes "
            "{quick}"
        )
    raise TooLarge(says, costly=True, extra=extra, reason=refused, quick=cost_in_words(in_floats))
