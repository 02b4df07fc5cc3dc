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
    check_roll,
    not_a_choice,
    open_choices,
    reads_positions,
    rows_of,
)
from shutbox.engine.messages import gettext
from shutbox.engine.play import Play
from shutbox.engine.scene import Scene
from shutbox.engine.seats import MOST_SEATS
from shutbox.engine.typed_text import bounded
from shutbox.match import notation
from shutbox.match.format import (
    LONGEST_TEXT,
    MOST_IN_A_PURSE,
    Format,
    Stuck,
    Ties,
    preset_of,
    unplayable,
)
from shutbox.match.scene import MatchScene, brief, card_lines, phrases
from shutbox.match.standing import Contest, Ended, Opening, Settled, Standing, Turn, WithoutChips
from shutbox.match.transitions import MOST_AGAIN, MatchRules

Choice: TypeAlias = C | WithoutChips  # of the game, or the answer of a player without chips


@reads_positions("settled", "answered", "rematch")
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
    order; those of a player who cannot pay for a round are buy, sit out, leave. `title` is the game
    and the format in words; `rules` has the numbers that follow from the format.

    Raises BadFormat, with the reasons, if this cannot be played, and NotUnderstood if an argument
    is of the wrong type, such as a text.
    """

    def __init__(
        self, game: Game[P, C], format: Format, players: Sequence[str] = ("Player 1", "Player 2")
    ) -> None:
        if not _make_a_match(game, format, players):
            raise NotUnderstood(
                "a match is of a game, a shutbox.match.Format and names; shutbox.find takes texts, "
                "such as match_of('classic', ['Ann', 'Bob'], 'rounds=3')"
            )
        self.game = game
        self.format = format
        self.players = tuple(players)
        seats = len(self.players)
        problems = list(unplayable(format, game.scoring, rows_of(game), seats))
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
        self.title = self._preset.title if self._preset else game.card().title
        self.rules = MatchRules(game, format, seats)
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
    def shut(self) -> str:
        """The words, in the current language, for a turn that reached its goal: `the box shut`."""
        return self.game.card().shut

    @property
    def longest(self) -> int:
        """The most events: every round with the longest turns, every contest with the most ties."""
        seats, rounds = len(self.players), self.format.most_rounds
        assert self.game.longest is not None  # __init__ refuses games without an end
        of_seat = self.game.longest + (self.format.stake > 0)
        if self.format.stuck is Stuck.PASSES:  # between two covers all others can pass
            of_seat += self.game.longest * seats + 2
        throw_offs = rounds + 1 if self.format.ties is Ties.THROW_OFF else 0
        contests = throw_offs + self.format.high_roll
        return seats * (rounds * of_seat + contests * (MOST_AGAIN + 1))

    @property
    def scoring(self) -> Scoring:
        """The best and the worst total that a player can have at the end of the match."""
        low, high = self.rules.totals(self.format.most_rounds)
        return Scoring(low, high) if self.rules.of_totals.low_is_good else Scoring(high, low)

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
        here = self.settled(position).position
        match here.doing:
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
                return Choose(tuple(WithoutChips), self.rules.seat_short_of_chips(here) or 0)
            case Ended(winners=winners):
                totals = tuple(tally.total for tally in here.tallies)
                return Over(totals, any(tally.shut for tally in here.tallies), winners)

    def rolled(self, position: Standing[P], roll: Roll) -> Standing[P]:
        """Return the position with this roll, in a turn or a contest. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        here = self.settled(position).position
        if isinstance(here.doing, Turn):
            at, rows = self.game.rolled(here.doing.at, roll), list(here.rows)
            for seat in self.rules.waiting(here) if self.rules.counts_for_all(here) else ():
                rows[seat] = self.game.rolled(rows[seat], roll)
            return replace(here, doing=replace(here.doing, at=at), rows=tuple(rows))
        assert isinstance(here.doing, Contest)  # nothing else awaits a throw
        return replace(here, doing=replace(here.doing, rolls=(*here.doing.rolls, roll)))

    def chosen(self, position: Standing[P], choice: Choice[C]) -> Standing[P]:
        """Return the position after this choice, in a turn or about chips. Raises IllegalChoice."""
        open_choices(self.awaits(position), position)
        here = self.settled(position).position
        if isinstance(here.doing, Opening):
            if not isinstance(choice, WithoutChips):
                raise IllegalChoice(
                    "a round can cost more chips than are there; type buy, sit out or leave",
                    position,
                )
            return self.answered(position, choice).position
        assert isinstance(here.doing, Turn)  # nothing else awaits a choice
        if isinstance(choice, WithoutChips):
            raise IllegalChoice(
                "{choice} is for a player without chips", position, choice=repr(choice.value)
            )
        try:
            at = self.game.chosen(here.doing.at, choice)
        except IllegalChoice as error:
            error.position = position
            raise
        return replace(here, doing=replace(here.doing, at=at))

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
        here = self.settled(position).position
        if isinstance(here.doing, Turn):
            try:
                return self.game.parse_choice(here.doing.at, text)
            except IllegalChoice as error:
                error.position = position
                raise
        word = " ".join(bounded(text, LONGEST_TEXT).lower().split())
        if word in (f"buy {self.rules.refill} chip", f"buy {self.rules.refill} chips"):
            return WithoutChips.BUY
        for answer in WithoutChips:
            if word and str(answer.value).startswith(word):
                return answer
        raise NotUnderstood(
            "{text} is not understood; type buy, sit out or leave", text=shown(text)
        )

    def scene(self, position: Standing[P]) -> Scene:
        """Return the scene after all automatic steps, with the answers to players' questions."""
        settled = self.settled(position)
        return MatchScene(self.rules, self.players, position, settled).scene()

    def card(self) -> RuleCard:
        """Return the rules of the game, then the rules of the match."""
        of_game = self.game.card()
        of_match = card_lines(self.format, self.players, self.scoring, of_game.shuts)
        lasts = [gettext(self._preset.lasts)] if self._preset and self._preset.lasts else []
        lines = (*of_game.lines, *of_match, *lasts)
        options = {**of_game.options, **self._options}
        return replace(of_game, title=self.title, lines=lines, options=options)

    def brief(self) -> str:
        """Return a line for a list: how the match ends, and what a round costs in chips, if any."""
        return brief(self.format, self.scoring, self.game.card().shuts)

    def answered(self, position: Standing[P], answer: WithoutChips) -> Settled[P]:
        """Return the position after the due player's answer, not settled, and the chips moved.

        Raises IllegalChoice if no player is asked about chips, and for any other object.
        """
        if answer not in open_choices(self.awaits(position), position):
            raise not_a_choice(answer, position)
        return self.rules.with_answer(self.settled(position).position, answer)

    def rematch(self, position: Standing[P]) -> "Match[P, C]":
        """Return a rematch of all players, even those who have left, with their current chips.

        If this match is not over, it moves no chips: everybody has those of its start. The seat
        after the one that began this match begins; under `begins=high-roll` all throw again. If no
        player can pay for a round, or one has more chips than a purse holds, all purses are filled
        as in this match.
        """
        here, format = self.settled(position).position, self.format
        chips = self.rules.purses
        if isinstance(here.doing, Ended):
            chips = tuple(tally.chips for tally in here.tallies)
        if not format.high_roll:
            format = replace(format, begins=(format.first + 1) % len(self.players) + 1)
        if format.stake and format.needed <= max(chips) <= MOST_IN_A_PURSE:
            format = replace(format, purse=chips)
        return Match(self.game, format, self.players)


def _make_a_match(game: object, format: object, players: object) -> bool:
    """Whether these are a game, a format, and a sequence of names, which is not a text."""
    listed = isinstance(players, Sequence) and not isinstance(players, str)
    return listed and hasattr(game, "scoring") and isinstance(format, Format)


def full_title(game: Game[Any, Any]) -> str:
    """Return the title of a game, and of a match also its terms, for sentences.

    >>> from shutbox import find
    >>> full_title(Match(find("six"), Format.parse("rounds=3,order=winner")))
    'Six, two players, three rounds, the winner of a round begins the next'
    """
    card = game.card()
    if not isinstance(game, Match):
        return card.title
    return ", ".join((card.title, *phrases(game.format, len(game.players), card.shuts)))


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
    here = play.game.settled(before).position
    if not isinstance(here.doing, Turn):
        return False
    turn, of_rows = here.doing, play.game.rules.rows
    if of_rows is None:
        return bool(turn.at == play.game.game.start())
    row = here.rows[turn.seat]
    return bool(turn.at == row) and (turn.thrower is not None or bool(of_rows.rested(row) == row))


def throws_at(game: Game[Any, Any], position: Any) -> dict[int, Any]:
    """Return the position of each seat in whose turn the throw that is due counts, if any."""
    turn, awaited = turn_at(game, position), game.awaits(position)
    if turn is None or not isinstance(awaited, Throw):
        return {}
    if isinstance(game, Match):
        here = game.settled(position).position
        if game.rules.counts_for_all(here):
            return {seat: here.rows[seat] for seat in game.rules.waiting(here)}
    return {awaited.seat: turn[1]}
