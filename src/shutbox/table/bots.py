"""Computer players, by the name of their kind. A new kind is one more entry here.

Most solve nothing, and so can play any game: they rank the offers of a scene by the pieces these
take, draw at random, or look one throw ahead. None of them knows a throw before it falls.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

from shutbox.engine.english import listed, safe_text, shown
from shutbox.engine.errors import BOTS, BadName, NotUnderstood, blaming
from shutbox.engine.game import C, Choose, Game, Over, P, Throw, circle_refusal
from shutbox.engine.messages import gettext_noop, ngettext
from shutbox.engine.play import FirstChoice, Player
from shutbox.engine.plugins import NOT_HERE, add_plugin, check_name, working_plugins
from shutbox.engine.seats import Seat
from shutbox.match import Match
from shutbox.match.game import turn_at, turn_game, turn_with_a_choice
from shutbox.solving.progress import Progress, no_progress
from shutbox.solving.strategy.fixed import (
    CHARACTERS,
    NAMES,
    Rank,
    kind_of,
    rank_by_fewest,
    rank_by_highest,
    rank_by_most,
)

if TYPE_CHECKING:
    from shutbox.solving.advice.adviser import Adviser
    from shutbox.solving.strategy.following import Strategy

AnyPlayer = Player[Any, Any] | Callable[..., Any] | str
"""What `as_player` reads as a player."""

MOST_LOOKED = 200_000  # positions; if it would look at more, `Careful` takes the first choice
NOTHING_TO_LOSE = Fraction(-1)  # the `risk` of a turn that is won, less than every chance
SHEET_SECONDS = 2.0  # a sheet that is estimated to take longer is not worked out


class ByTiles:
    """A player that picks the choice whose tiles rank highest, the first of equal ones.

    `rank` gets the numbers of the tiles that a choice takes, and returns a list of numbers.
    """

    def __init__(self, rank: Rank) -> None:
        self.rank = rank

    def __repr__(self) -> str:
        return f"ByTiles({self.rank.__name__})"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice with the highest rank, the first of equal ones."""
        if len(choices) == 1:
            return choices[0]
        inner, place = turn_at(game, position) or (game, position)
        ranks = [self.rank(taken) for taken in inner.scene(place).numbers_taken()]
        return choices[ranks.index(max(ranks))]


@dataclass(eq=False)
class RandomChoice:
    """A player whose choices the operating system draws, equally likely and unpredictable."""

    deterministic = False
    uniform = True

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return one of the choices, each equally likely."""
        from secrets import choice  # slow to import, and only this player needs it

        return choice(choices)


@dataclass(eq=False)
class FixedChoice:
    r"""A player that picks pseudo-randomly from a seed, always the same at the same position.

    The index of the choice is the SHA-256 of `b"shutbox bot 1\n"`, the seed, `b"\n"` and the text
    of the position, all of it as a big-endian number, modulo the number of choices. So a resumed
    game continues as it would have, and no choice reveals anything about another.
    """

    seed: str

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice that the seed and the position give."""
        from hashlib import sha256  # slow to import, and only this player needs it

        text = f"{self.seed}\n{game.position_id(position)}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(sha256(b"shutbox bot 1\n" + text).digest(), "big")
        return choices[number % len(choices)]


@dataclass(eq=False)
class Careful:
    """A player that picks the choice after which the next throw loses the turn least often."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice of least `risk`, the first of equals; shutting the box is no risk.

        The first choice is returned if it is the only one, if it is about chips, if the game can go
        on forever (no turn can be lost), or if the risks would take too long to work out.
        """
        turn = turn_with_a_choice(game, position, choices)
        if turn is None:
            return choices[0]
        inner, place = turn
        after = [inner.chosen(place, choice) for choice in choices]
        if sum(positions_seen(inner, place) for place in after) > MOST_LOOKED:
            return choices[0]
        risks = [risk(inner, place) for place in after]
        return choices[risks.index(min(risks))]


def risk(game: Game[Any, Any], position: Any) -> Fraction:
    """Return the chance that the next throw loses the turn, after the safest choices before it.

    It is 1 for a turn that is over and lost, and NOTHING_TO_LOSE for one that is won.
    """
    match game.awaits(position):
        case Over(shut=shut):
            return NOTHING_TO_LOSE if shut else Fraction(1)
        case Choose(choices=choices):
            return min(risk(game, game.chosen(position, choice)) for choice in choices)
        case Throw(dice=dice):
            ends = ((game.awaits(game.rolled(position, roll)), n) for roll, n in dice.outcomes())
            lost = sum(weight for end, weight in ends if isinstance(end, Over) and not end.shut)
            return Fraction(lost, dice.total_weight)


def positions_seen(game: Game[Any, Any], position: Any, before: tuple[Any, ...] = ()) -> int:
    """Return a lower bound on the number of positions that `risk` looks at.

    Raises TooLarge if choices lead back to the position, or to one `before`.
    """
    if position in before:
        raise circle_refusal(game, position)
    match game.awaits(position):
        case Choose(choices=choices):
            after, seen = (game.chosen(position, choice) for choice in choices), (*before, position)
            return sum(positions_seen(game, place, seen) for place in after)
        case Throw(dice=dice):
            return dice.roll_count
    return 1


@dataclass(eq=False)
class Perfect:
    """A player that picks the best choice; in a match, for the win if `Adviser` can solve that."""

    progress: Progress = field(default=no_progress, repr=False)  # for long computations
    every_round: bool = field(default=True, repr=False)  # see `Adviser`
    _adviser: "Adviser | None" = field(default=None, init=False, repr=False)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise TooLarge for a game that it cannot play, without solving anything."""
        from shutbox.solving.solvers import check_solvable  # slow to import

        check_solvable(turn_game(game))

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the best choice; for chips or in an endless game, the first. Raises TooLarge."""
        if turn_with_a_choice(game, position, choices) is None:
            return choices[0]
        adviser = self._adviser
        if adviser is None or adviser.game != game:
            from shutbox.solving.advice.adviser import Adviser  # slow to import

            # A player stays at one table, so its adviser is cached.
            adviser = self._adviser = Adviser(
                game, every_round=self.every_round, progress=self.progress
            )
        return cast(C, adviser.best(position))


@dataclass(eq=False)
class OnPaper:
    """A player that follows a sheet of rules, in a match for the expected score of each turn."""

    seconds: float = field(default=SHEET_SECONDS, repr=False)  # see `sheet_player`
    _known: tuple[Game[Any, Any], Callable[[Any, Any], Any]] | None = field(
        default=None, init=False, repr=False
    )

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice of `sheet_player`; for chips or in an endless game, the first."""
        turn = turn_with_a_choice(game, position, choices)
        if turn is None:
            return choices[0]
        inner, place = turn
        # A player stays at one table, so the sheet of its game is made once.
        if self._known is None or self._known[0] != inner:
            from shutbox.solving.strategy.following import sheet_player  # slow to import

            self._known = inner, sheet_player(inner, self.seconds)
        return cast(C, self._known[1](place, choices))


BotKind = tuple[Callable[[str], Player[Any, Any]], str]  # makes one from a seed; what it does

KINDS: dict[str, BotKind] = {
    "perfect": (
        lambda seed: Perfect(),
        gettext_noop("makes the best choice there is; in the last round for the win"),
    ),
    "fewest": (lambda seed: ByTiles(rank_by_fewest), gettext_noop("covers as few tiles as it can")),
    "most": (lambda seed: ByTiles(rank_by_most), gettext_noop("covers as many tiles as it can")),
    "highest": (
        lambda seed: ByTiles(rank_by_highest),
        gettext_noop("covers the highest tile it can"),
    ),
    "first": (lambda seed: FirstChoice(), gettext_noop("takes the first choice that is listed")),
    "careful": (
        lambda seed: Careful(),
        gettext_noop("goes by the chance to be stuck on the next throw"),
    ),
    "sheet": (
        lambda seed: OnPaper(),
        gettext_noop("plays by a strategy that fits on one sheet of paper"),
    ),
    "random": (lambda seed: RandomChoice(), gettext_noop("chooses at random each time")),
    "fixed": (
        FixedChoice,
        gettext_noop(
            "chooses as if at random, at the same position always the same; fixed:SEED is another "
            "one for each seed"
        ),
    ),
}

SEEDED = "fixed"  # the kind that can have a seed after the name


def kinds() -> dict[str, BotKind]:
    """Return `KINDS` and the kinds of plugins that work, by name."""
    plugins = reversed([*working_plugins(BOTS, _check_bot)])  # of one name, the newest stays
    return KINDS | {plugin.name: plugin.member for plugin in plugins}


def _check_bot(name: str, make: Any) -> BotKind:
    check_name(name)
    if not callable(make):
        # Translators: {object} is Python; it cannot create a computer player.
        raise NotUnderstood("{object} makes no player", object=shown(repr(make)))
    does, *_ = (make.__doc__ or name).strip().splitlines()  # what its player does
    return make, does.removesuffix(".")


def register_bot(name: str, make: "Callable[[str], AnyPlayer] | None") -> None:
    """Add a kind of computer player. Raises NotUnderstood for a bad name, or None as `make`."""
    add_plugin(BOTS, name, make, _check_bot)


def bot(kind: str) -> Player[Any, Any]:
    """Return a computer player of a kind, such as `fewest` or `fixed:pub`, or a character.

    >>> bot("hobbs"), bot("most")
    (Careful(), ByTiles(rank_by_most))

    Raises BadName for an unknown kind or a seed it does not take, and PluginFailed.
    """
    name, _, seed = kind_of(str(kind)).partition(":")
    if "." in name:
        plugin = next(working_plugins(BOTS, _check_bot, name), None)  # the newest of the name
        if plugin is None:
            raise BadName(NOT_HERE, name=shown(name))
        with blaming(name):
            return as_player(plugin.member[0](seed))
    if name not in KINDS or (seed and name != SEEDED):
        raise BadName(
            "{kind} is not a kind of computer player; they are {kinds}, and fixed:SEED; "
            "by name: {names}",
            kind=shown(kind),
            kinds=listed(KINDS),
            names=listed(character.id for character in CHARACTERS),
        )
    return KINDS[name][0](seed)


class FunctionPlayer:
    """A player made of a function: of the `Position`, or of game, position and choices.

    A function of the `Position` can return the text of its choice.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.deterministic = getattr(function, "deterministic", True)
        self.uniform = getattr(function, "uniform", False)
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        try:
            signature(function).bind("game", "position", "choices")
            self._by_position = False
        except (TypeError, ValueError) as error:  # ValueError: a builtin without a signature
            self._by_position = isinstance(error, TypeError)

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> Any:
        """Return the choice that the function returns. Raises what it and `parse_choice` raise."""
        if not self._by_position:
            return self.function(game, position, choices)
        from shutbox.table.position import Position  # slow to import

        picked = self.function(Position(game, position))
        return game.parse_choice(position, picked) if isinstance(picked, str) else picked


def as_player(player: AnyPlayer) -> Player[Any, Any]:
    """Return a player object, given as such, as a function or by a name as in `bot`.

    A function of one argument gets the `Position`, and returns a choice or its text. Another gets
    the game, the position and the choices. Raises what `bot` raises, and NotUnderstood for any
    other object.
    """
    if isinstance(player, str):
        return bot(player)
    if not isinstance(player, type):
        if callable(getattr(player, "pick", None)):
            return cast(Player[Any, Any], player)
        if callable(player):
            return FunctionPlayer(player)
    raise NotUnderstood(
        "{player} is not a player; it has no method pick, and is no function",
        player=shown(safe_text(player)),
    )


def strategy_of(player: AnyPlayer) -> "Strategy":
    """Return the name of a built-in strategy, which solvers compute without asking a player.

    For any other player, return the player object. A character has the name of its strategy.
    Raises what `as_player` raises.
    """
    if isinstance(player, str) and (kind := kind_of(player)) in NAMES:
        return kind
    return as_player(player)


def simpler_play(
    bots: Mapping[int, Player[Any, Any]], game: Game[Any, Any], names: Sequence[str]
) -> Iterator[str]:
    """Yield sentences on players whose strategy takes too long to work out: how they play instead.

    `names` are those of all seats. An estimate decides, so that a seed gives the same game on every
    machine.
    """
    perfect = [names[seat] for seat, player in bots.items() if isinstance(player, Perfect)]
    on_paper = {seat: player for seat, player in bots.items() if isinstance(player, OnPaper)}
    if perfect and isinstance(game, Match) and game.players[1:]:
        from shutbox.solving.equity.match_value import first_round_for_win  # slow to import

        if first_round_for_win(game) is None:
            yield ngettext(
                "{names} plays only for a good score: working out who wins takes too long.",
                "{names} play only for good scores: working out who wins takes too long.",
                len(perfect),
                names=listed(perfect),
            )
    turn = turn_game(game)
    if on_paper and turn.scoring is not None:
        from shutbox.solving.strategy.following import is_quick  # slow to import

        slow = [names[seat] for seat, p in on_paper.items() if not is_quick(turn, p.seconds)]
        if slow:
            yield ngettext(
                "{names} takes the first choice listed: working out a sheet takes too long.",
                "{names} take the first choice listed: working out a sheet takes too long.",
                len(slow),
                names=listed(slow),
            )


def set_progress(bots: Mapping[int, Player[Any, Any]], progress: Progress) -> None:
    """Set the progress callback of the computer players that solve the game."""
    for player in bots.values():
        if isinstance(player, Perfect):
            player.progress = progress


def bots_of(seats: Iterable[Seat]) -> dict[int, Player[Any, Any]]:
    """Return the computer player of each seat that has one, by seat. Raises what `bot` does."""
    return {index: bot(seat.computer) for index, seat in enumerate(seats) if seat.computer}
