"""A match as a game of the protocol: players take turns at another game, under a format."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Generic, TypeAlias

from shutbox.engine.dice import Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, IllegalChoice, NotUnderstood
from shutbox.engine.game import (
    Awaited,
    C,
    Choose,
    Game,
    Over,
    P,
    RuleCard,
    Scoring,
    Throw,
    check_game,
    check_roll,
    open_choices,
    reads_positions,
    refusal_of_non_choice,
    rows_of,
)
from shutbox.engine.messages import gettext
from shutbox.engine.play import Play
from shutbox.engine.scene import Scene
from shutbox.engine.seats import MOST_SEATS
from shutbox.engine.typed_text import bounded, check_type, typed_line
from shutbox.match import notation
from shutbox.match.card import MatchTerms
from shutbox.match.format import (
    LONGEST_TEXT,
    MOST_IN_A_PURSE,
    Format,
    Stuck,
    Ties,
)
from shutbox.match.misfits import find_misfits
from shutbox.match.preset import preset_of
from shutbox.match.row_scene import RowScene
from shutbox.match.rows import RowRules
from shutbox.match.scene import MatchScene
from shutbox.match.standing import Contest, Ended, Opening, Settled, Standing, Turn, WithoutChips
from shutbox.match.transitions import MOST_REPEATS, MatchRules

Choice: TypeAlias = C | WithoutChips  # of the game, or the answer of a player without chips


@reads_positions("settled", "rematch")
class Match(Generic[P, C]):
    """A match as a game: `players` take turns at `game`, and `format` says who wins and when.

    >>> from shutbox import find
    >>> match = Match(find("classic"), Format.parse("rounds=2"), ["Ann", "Bob"])
    >>> match.name
    'classic[seats=2,rounds=2]'
    >>> position = match.rolled(match.start(), Roll((3, 5)))
    >>> match.position_id(position)
    '1;0;0;0,0;t0;1.2.3.4.5.6.7.8.9/3+5'

    `players` are the names used in sentences, one for each seat. A finished turn stays in the
    position until the next event; `settled` returns what follows from it. Choices are in the game's
    order; those of a player who cannot pay for a round are buy, sit out, leave. `rules` has the
    numbers that follow from the format.

    Raises BadFormat, with the reasons, if this cannot be played, and NotUnderstood if an argument
    is of the wrong type, such as a text.
    """

    def __init__(
        self, game: Game[P, C], format: Format, players: Sequence[str] = ("Player 1", "Player 2")
    ) -> None:
        check_game(game)
        check_type(format, Format)
        check_type(players, list | tuple)
        self.game = game
        self.format = format
        self.players = tuple(players)
        seats = len(self.players)
        problems = list(find_misfits(format, game.scoring, rows_of(game), seats))
        if game.longest is None:
            problems = [gettext("it can go on forever, so nobody can win it")]
        if isinstance(game, Match):
            problems = [gettext("it is a match already")]
        if not 1 <= seats <= MOST_SEATS:
            few = gettext("{number} players; 1 to {most} can play", number=seats, most=MOST_SEATS)
            problems.append(few)
        if problems:
            raise BadFormat(game.name, tuple(problems))
        self._options = {"seats": str(seats), **format.options}
        written = ",".join(f"{key}={text}" for key, text in self._options.items())
        self._name = f"{game.name}[{written}]"
        self._preset = preset_of(game.name, format)
        self.rules = (RowRules if format.has_rows else MatchRules)(game, format, seats)
        self._scene = RowScene if format.has_rows else MatchScene
        # Cached, because playing and drawing ask about a position several times in a row.
        self._last_settled: tuple[Standing[P], Settled[P]] | None = None

    def __repr__(self) -> str:
        return f"Match({self.game!r}, {self.format!r}, {self.players!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.game, self.format, self.players) == (other.game, other.format, other.players)

    def __hash__(self) -> int:
        return hash((self.name, self.players))

    def __reduce__(self) -> tuple[object, ...]:
        return Match, (self.game, self.format, self.players)

    @property
    def name(self) -> str:
        """The name, such as `classic[seats=2,rounds=5]`."""
        return self._name

    @property
    def terms(self) -> MatchTerms:
        """The rules of the match alone, which can be said in sentences."""
        return MatchTerms(self.format, self.scoring, self.game.card().shuts)

    @property
    def shut(self) -> str:
        """The words, in the current language, for a turn that reached its goal: `the box shut`."""
        return self.game.card().shut

    @property
    def longest(self) -> int:
        """The most events, never None: `Match` refuses games without an end.

        That is with the longest turns in every round, and the most ties in every contest.
        """
        seats, rounds = len(self.players), self.format.most_rounds
        assert self.game.longest is not None  # __init__ refuses games without an end
        of_seat = self.game.longest + (self.format.stake > 0)
        if self.format.stuck is Stuck.PASSES:  # between two covers all others can pass
            of_seat += self.game.longest * seats + 2
        throw_offs = rounds + 1 if self.format.ties is Ties.THROW_OFF else 0
        contests = throw_offs + self.format.high_roll
        return seats * (rounds * of_seat + contests * (MOST_REPEATS + 1))

    @property
    def scoring(self) -> Scoring:
        """The best and the worst total that a player can have at the end of the match."""
        low, high = self.rules.total_range(self.format.most_rounds)
        return Scoring(low, high) if self.rules.total_scoring.low_is_good else Scoring(high, low)

    def settled(self, position: Standing[P]) -> Settled[P]:
        """Return the result of all automatic steps, up to a due player or the end; cached."""
        # Read once: another thread can replace it at any time.
        known = self._last_settled
        if known is None or known[0] is not position:
            known = self._last_settled = position, self.rules.settled(position)
        return known[1]

    def start(self) -> Standing[P]:
        """Return the position before the first throw."""
        return self.rules.start()

    def awaits(self, position: Standing[P]) -> Awaited[Choice[C]]:
        """Return the throw or the choice of the seat that is due, or the end of the match.

        The final scores are the totals; `shut`: whether a turn of the last round reached its goal.
        """
        standing = self.settled(position).position
        match standing.doing:
            case Turn(seat=seat, at=at):
                match self.game.awaits(at):
                    case Throw(dice=dice):
                        return Throw(dice, seat)
                    case Choose(choices=choices):
                        return Choose(choices, seat)
                    case over:  # unreachable: a settled position has no finished turn
                        return over
            case Contest(among=among, rolls=rolls):
                return Throw(self.rules.dice, among[len(rolls)])
            case Opening():
                return Choose(tuple(WithoutChips), self.rules.seat_short_of_chips(standing) or 0)
            case Ended(winners=winners):
                totals = tuple(tally.total for tally in standing.tallies)
                return Over(totals, standing.has_shut, winners)

    def rolled(self, position: Standing[P], roll: Roll) -> Standing[P]:
        """Return the position with this roll, in a turn or a contest. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        return self.rules.rolled(self.settled(position).position, roll)

    def chosen(self, position: Standing[P], choice: Choice[C]) -> Standing[P]:
        """Return the position after this choice, in a turn or about chips. Raises IllegalChoice."""
        open_choices(self.awaits(position), position)
        standing = self.settled(position).position
        if isinstance(choice, WithoutChips) is not isinstance(standing.doing, Opening):
            raise refusal_of_non_choice(choice, position)
        if isinstance(choice, WithoutChips):
            return self.rules.with_answer(standing, choice)
        assert isinstance(standing.doing, Turn)  # nothing else awaits a choice
        try:
            at = self.game.chosen(standing.doing.at, choice)
        except IllegalChoice as error:
            error.position = position
            raise
        return replace(standing, doing=replace(standing.doing, at=at))

    def position_id(self, position: Standing[P]) -> str:
        """Return a text such as `1;0;0;0,0;t0;1.5.9/3+5`; the module `notation` explains it."""
        return notation.write_position(self.rules, position)

    def position_at(self, id: str) -> Standing[P]:
        """Parse a `position_id`. Raises NotUnderstood and ImpossiblePosition."""
        return notation.read_position(self.rules, id)

    def choice_text(self, choice: Choice[C]) -> str:
        """Return the choice as the game writes it, or `buy`, `sit out` or `leave`."""
        if isinstance(choice, WithoutChips):
            return str(choice.value)
        return self.game.choice_text(choice)

    def parse_choice(self, position: Standing[P], text: str) -> Choice[C]:
        """Parse a choice as the game reads it. Answers about chips can be shortened.

        Raises NotUnderstood, Ambiguous, and IllegalChoice if it is not open or no choice is due.
        """
        open_choices(self.awaits(position), position)
        standing = self.settled(position).position
        if isinstance(standing.doing, Turn):
            try:
                return self.game.parse_choice(standing.doing.at, text)
            except IllegalChoice as error:
                error.position = position
                raise
        words = typed_line(bounded(text, LONGEST_TEXT)).split()
        if "buy" in words and {*words} <= {"buy", str(self.rules.refill), "chip", "chips"}:
            return WithoutChips.BUY
        for answer in WithoutChips:
            if words and str(answer.value).startswith(" ".join(words)):
                return answer
        raise NotUnderstood(
            "{text} is not understood; type buy, sit out or leave", text=shown(text)
        )

    def scene(self, position: Standing[P]) -> Scene:
        """Return the scene after all automatic steps, with the answers to players' questions."""
        return self._scene(self.rules, self.players, position, self.settled(position)).scene()

    def card(self) -> RuleCard:
        """Return the rules of the game, then the rules of the match."""
        of_game = self.game.card()
        lasts = [gettext(self._preset.lasts)] if self._preset and self._preset.lasts else []
        lines = (*of_game.lines, *self.terms.card_lines(self.players), *lasts)
        options = {**of_game.options, **self._options}
        title = self._preset.shown_title if self._preset else of_game.title
        return replace(of_game, title=title, lines=lines, options=options)

    def list_line(self) -> str:
        """Return a line for a list: how the match ends, and what a round costs in chips, if any."""
        return self.terms.list_line()

    def reminder(self) -> str:
        """Return what to know before the first throw: `five rounds, lowest total wins`."""
        return ", ".join(self.terms.reminders())

    def rematch(self, position: Standing[P]) -> "Match[P, C]":
        """Return a rematch of all players, even those who have left, with their current chips.

        If this match is not over, it moves no chips: everybody has those of its start. The seat
        after the one that began this match begins; under `begins=high-roll` all throw again. If no
        player can pay for a round, or one has more chips than a purse holds, all purses are filled
        as in this match.
        """
        standing, format = self.settled(position).position, self.format
        chips = self.rules.purses
        if isinstance(standing.doing, Ended):
            chips = tuple(tally.chips for tally in standing.tallies)
        if not format.high_roll:
            format = replace(format, begins=(format.first + 1) % len(self.players) + 1)
        if format.stake and format.needed <= max(chips) <= MOST_IN_A_PURSE:
            format = replace(format, purse=chips)
        return Match(self.game, format, self.players)


def turn_game(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return the game that a match plays in each turn; any other game itself."""
    return game.game if isinstance(game, Match) else game


def full_title(game: Game[Any, Any]) -> str:
    """Return the title of a game, and of a match also its terms, for sentences.

    >>> from shutbox import find
    >>> full_title(Match(find("six"), Format.parse("rounds=3,order=winner")))
    'Six, two players, three rounds, the winner of a round begins the next'
    """
    title = game.card().title
    if not isinstance(game, Match):
        return title
    return ", ".join((title, *game.terms.heading_parts(len(game.players))))


def turn_at(game: Game[Any, Any], position: Any) -> tuple[Game[Any, Any], Any] | None:
    """Return the game and the position of the current turn, or None if no turn is in progress.

    If `game` is not a match, these are `game` and `position` themselves.
    """
    if not isinstance(game, Match):
        return game, position
    doing = game.settled(position).position.doing
    return (game.game, doing.at) if isinstance(doing, Turn) else None


def turn_with_a_choice(
    game: Game[Any, Any], position: Any, choices: Sequence[Any]
) -> tuple[Game[Any, Any], Any] | None:
    """Return the game and the position of a turn with a choice to weigh, as `turn_at` does.

    None if there is only one choice, if it is about chips, or if the game can go on forever.
    """
    return None if len(choices) == 1 or game.longest is None else turn_at(game, position)


def begins_turn(play: Play[Any, Any], before: Any) -> bool:
    """Whether the event after the position `before` is the first of a turn, not of a contest."""
    if not isinstance(play.game, Match):
        return bool(before == play.start)
    return play.game.rules.begins_turn(play.game.settled(before).position)


def turns_of_throw(game: Game[Any, Any], position: Any) -> dict[int, Any]:
    """Return the position of each seat in whose turn the throw that is due counts; else {}."""
    awaited = game.awaits(position)
    if not isinstance(awaited, Throw):
        return {}
    if not isinstance(game, Match):
        return {awaited.seat: position}
    return game.rules.turns_of_throw(game.settled(position).position)
