"""The choice of a solver for a game, with an estimate of the cost.

Small games are solved in exact fractions, with no extra installed. Large boxes go to the compiled
kernel of the extra `fast`, which computes in floats and stores its results in a book (a file). A
game that neither can solve within the limits is refused with an estimate, unless `anyway` is set.

`solve_once` also stores slow solutions in exact fractions in books, so that later calls only read
them. Wherever a book is named, it is a file in the user's cache that can be missing or damaged.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from shutbox.analysis.named import position_and_aim, turn_named
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import C, Game, P
from shutbox.games.traits import Cost, traits_of
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.solver import compiled
from shutbox.solver.fold import Unfolded, check_ends, unchanged
from shutbox.solver.graph import Progress, heard, unheard
from shutbox.solver.meant import Placed
from shutbox.solver.objectives import MEAN, Aim, find_aim
from shutbox.solver.solution import GraphSolution, Solution, Turns
from shutbox.specialists import solver_of

MOST_SECONDS = 600  # a game that is estimated to take longer is refused
MOST_MEMORY = 2 << 30  # a game that is estimated to take more bytes is refused
BY_GRAPH = 4.0  # estimated seconds up to which fractions are used even if floats are possible
LONG, TOO_LONG = 0.03, 60.0
"""The range of estimated seconds in which a solution in exact fractions is stored in a book. A game
that takes longer would need too large a book."""


def in_words(cost: Cost) -> str:
    """Return the seconds and bytes of a cost in words.

    >>> in_words(Cost(512, 250.0, 3 * 10**9))
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


def fits(cost: Cost) -> bool:
    """Whether a cost is within MOST_SECONDS and MOST_MEMORY."""
    return cost.seconds <= MOST_SECONDS and cost.memory <= MOST_MEMORY


def turns_of(game: Game[Any, Any], position: Any, progress: Progress = unheard) -> Turns[Any]:
    """Build the graph of a turn of a game from a position on."""
    if (solver := solver_of(game)) is not None:
        return solver.turns(game, position, progress)
    return Unfolded(game, position, traits_of(game).alike or unchanged, progress)


def cost_of(game: Game[Any, Any], position: Any) -> Cost:
    """Estimate the cost of solving a game from a position on, in exact fractions.

    >>> from shutbox.games.catalogue import find
    >>> game = find("classic")
    >>> cost_of(game, game.start()).positions
    512

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
    cost = replace(cost, seconds=cost.seconds * times)
    if not fits(cost):
        raise TooLarge(
            "{game}: {positions:,} positions in exact fractions take {cost}; at most "
            "{seconds} and {memory} are spent",
            costly=True,
            extra="",  # no extra makes exact fractions faster
            **_facts(game, cost),
        )


class _Limits(TypedDict, total=False):
    anyway: bool
    progress: Progress | None


class _How(_Limits, total=False):
    exact: bool


Where: TypeAlias = P | Placed | Aim | str | None
"""A position of a game as `solve` takes it, or an aim in its place."""
Exact: TypeAlias = Literal[True]


@overload
def solve(
    game: str, position: Any = ..., aim: Aim | str = ..., *, exact: Exact, **how: Unpack[_Limits]
) -> GraphSolution[Any, Any]: ...
@overload
def solve(
    game: str, position: Any = ..., aim: Aim | str = ..., **how: Unpack[_How]
) -> Solution[Any, Any]: ...
@overload
def solve(
    game: Game[P, C],
    position: Where[P] = ...,
    aim: Aim | str = ...,
    *,
    exact: Exact,
    **how: Unpack[_Limits],
) -> GraphSolution[P, C]: ...
@overload
def solve(
    game: Game[P, C], position: Where[P] = ..., aim: Aim | str = ..., **how: Unpack[_How]
) -> Solution[P, C]: ...
def solve(
    game: Game[Any, Any] | str,
    position: Any = None,
    aim: Aim | str = MEAN,
    *,
    exact: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Solution[Any, Any]:
    """Solve a game for an aim, from a position on or from its start.

    Game, position and aim can be given as text: `classic`, `2.4.5.9/4+5`, `shut`. Without a
    position, the aim can be the second argument. The traits of the game decide which solver it
    gets. `exact` demands exact fractions even if floats are faster. `anyway` ignores the limits.
    `progress` is called now and then with the number of positions done and of all (0: unknown).

    >>> import shutbox
    >>> solution = shutbox.solve("classic")
    >>> round(float(solution.value()), 4), round(float(solution.value("2.4.5.9/4+5")), 4)
    (11.0092, 5.7302)
    >>> shutbox.solve("six", "shut").value()
    Fraction(145, 1944)

    Unless `anyway` is set, raises TooLarge if the estimate is beyond the limits or there is none.
    Always raises it for a game that has no scores or need never end. Raises NotUnderstood for a
    match, and the errors of unreadable texts.
    """
    game, progress = turn_named(game), heard(progress)
    here, aim = position_and_aim(game, position, aim)
    if anyway and traits_of(game).cost is None:
        in_floats = False
    else:
        _, in_floats = _method(game, here, exact=exact, anyway=anyway)
    if in_floats and (solver := solver_of(game)) is not None:
        return solver.in_floats(game, here, aim, progress)
    return GraphSolution(game, aim, turns_of(game, here, progress), here)


def solve_once(
    game: Game[Any, Any],
    aim: Aim = MEAN,
    progress: Progress = unheard,
    position: Any = None,
    *,
    exact: bool = False,
    anyway: bool = False,
) -> Solution[Any, Any]:
    """Solve a game as `solve` does, but only once: read its book, a file, or write it.

    Books are for solutions in exact fractions that take LONG to TOO_LONG seconds; `solve` itself
    stores those in floats. `position` cannot be a text; None is the start. Raises TooLarge.
    """
    here = game.start() if position is None else position
    solver = solver_of(game)
    if solver is None or not _has_book(game, here, aim, exact=exact):
        return solve(game, here, aim, exact=exact, anyway=anyway, progress=progress)
    return solver.stored(game, here, aim, progress)


def is_stored(game: Game[Any, Any], aim: Aim = MEAN) -> bool:
    """Whether the file exists from which `solve_once` reads a game from its start; not opened."""
    solver = solver_of(game)
    return solver is not None and solver.has_stored(game, game.start(), aim)


def _has_book(game: Game[Any, Any], position: Any, aim: Aim, *, exact: bool) -> bool:
    """Whether `solve_once` stores a solution: a slow one, fully identified by game and aim."""
    if not traits_of(game).lasting or game.scoring is None:
        return False
    cost = cost_of(game, position)
    if not LONG <= cost.seconds <= TOO_LONG or not fits(cost):
        return False
    with suppress(NotUnderstood):
        if find_aim(aim.name, game.scoring) == aim:
            return not _method(game, position, exact=exact)[1]
    return False


class Solutions:
    """A cache of games solved from their start, and of one solved only from a later position.

    A game is refused with TooLarge if by its estimate it takes more than `seconds` or bytes of
    `memory`, which are the limits of `solve` by default, or if `solve` refuses it. With `anyway`
    there are no limits. Of partial solutions only the last one is cached.
    """

    def __init__(
        self,
        *,
        seconds: float = MOST_SECONDS,
        memory: int = MOST_MEMORY,
        anyway: bool = False,
        progress: Progress = unheard,
    ) -> None:
        self._most = seconds, memory
        self._options: dict[str, Any] = {"anyway": anyway, "progress": progress}
        self._whole: dict[tuple[Game[Any, Any], Aim], Solution[Any, Any]] = {}
        self._rest: Solution[Any, Any] | None = None

    def whole(self, game: Game[Any, Any], aim: Aim = MEAN) -> Solution[Any, Any]:
        """Return a game solved from its start, cached. Raises TooLarge beyond the limits."""
        if (game, aim) not in self._whole:
            self._check(game, game.start())
            self._whole[game, aim] = solve_once(game, aim, **self._options)
        return self._whole[game, aim]

    def at(
        self, game: Game[Any, Any], position: Any, aim: Aim = MEAN, *, whole: bool = True
    ) -> Solution[Any, Any]:
        """Return a solution that holds a position: of the whole game, or else from there on.

        Without `whole`, the whole game is not tried. Raises TooLarge if what is left of the game
        from the position is beyond the limits as well.
        """
        rest = self._rest
        if rest is not None and (rest.game, rest.aim) == (game, aim) and rest.holds(position):
            return rest
        with suppress(TooLarge):
            if whole and (found := self.whole(game, aim)).holds(position):
                return found
        self._check(game, position)
        self._rest = solve(game, position, aim, **self._options)
        return self._rest

    def _check(self, game: Game[Any, Any], position: Any) -> None:
        if self._options["anyway"]:
            return
        seconds, memory = self._most
        cost = check_solvable(game, position)
        if cost.seconds > seconds or cost.memory > memory:
            raise TooLarge(
                "{game}: to solve it takes {cost}; at most {seconds} and {memory} are spent",
                costly=True,
                extra="",
                **_facts(game, cost, seconds, memory),
            )


def check_solvable(game: Game[Any, Any], position: Any = None) -> Cost:
    """Estimate what `solve` would take from a position of a game, or from its start.

    Raises TooLarge if `solve` would.
    """
    check_ends(game)
    return _method(game, game.start() if position is None else position)[0]


def whole_cost(game: Game[Any, Any]) -> Cost | None:
    """Estimate what `solve` takes from the start; None if it would refuse."""
    with suppress(TooLarge):
        return check_solvable(game)
    return None


def _method(
    game: Game[Any, Any], position: Any, *, exact: bool = False, anyway: bool = False
) -> tuple[Cost, bool]:
    """Return the estimated cost of a game, and whether floats are used, or raise TooLarge."""
    cost, solver = cost_of(game, position), solver_of(game)
    quick, extra = None, ""
    if not exact and cost.seconds > BY_GRAPH and solver is not None:
        quick = solver.cost_in_floats(game, position)
    if quick is not None and (anyway or fits(quick)):
        if compiled.installed():
            return quick, True
        extra = "fast"
    if anyway or fits(cost):
        return cost, False
    facts = _facts(game, cost)
    if quick is None:
        template = gettext_noop(
            "{game}: {positions:,} positions take {cost} in exact fractions; at most {seconds} "
            "and {memory} are spent"
        )
    else:
        facts["quick"] = in_words(quick)
        if compiled.installed():
            template = gettext_noop(
                "{game}: {positions:,} positions take {cost} in exact fractions; at most {seconds} "
                "and {memory} are spent. In floats it takes {quick}"
            )
        else:
            template = gettext_noop(
                "{game}: {positions:,} positions take {cost} in exact fractions; at most {seconds} "
                "and {memory} are spent. With the extra fast, pip install 'shutbox[fast]', it "
                "takes {quick}"
            )
    raise TooLarge(template, costly=True, extra=extra, **facts)


def _facts(
    game: Game[Any, Any], cost: Cost, seconds: float = MOST_SECONDS, memory: int = MOST_MEMORY
) -> dict[str, object]:
    return {
        "game": game.name,
        "positions": cost.positions,
        "cost": in_words(cost),
        "seconds": _time(seconds),
        "memory": size_words(memory),
    }
