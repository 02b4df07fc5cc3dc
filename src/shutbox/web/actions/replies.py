"""The replies of actions: plain values, sent as JSON by the API and shown by the pages."""

from dataclasses import dataclass

from shutbox.analysis.advice.coach import ChoiceJudged
from shutbox.analysis.advice.ranking import AdviceFigures
from shutbox.analysis.hindsight import SoloResult
from shutbox.analysis.review.verdict import Verdict, mistakes_words, verdict_sentences
from shutbox.scene import Piece
from shutbox.web.rooms.days import DayResult, Hardest, Losses, PastDay, Skill, Streak
from shutbox.web.rooms.table_view import LogLine, MoveView
from shutbox.web.rooms.view import Invites, RulesView, View, ViewerState


@dataclass
class RoomReply:
    """A room as its caller sees it."""

    view: View  # the room as everybody sees it
    you: ViewerState  # what you are and may do in it
    log: tuple[LogLine, ...]  # what has happened so far
    rules: RulesView  # the rules of its game


@dataclass
class Done:
    """A room after an action."""

    number: int  # the number of the last event
    view: View  # the room as everybody sees it
    you: ViewerState  # what you are and may do in it


@dataclass
class OpenedReply(Done):
    """A new room with all of its keys, which are sent only in this reply."""

    keys: dict[str, str]
    """The key of each seat by its number, and of `watch` and `host`; send one back as
    `Authorization: Bearer KEY`, or several separated by commas."""


@dataclass
class Acted(Done):
    """A throw, choice, take-back or correction that is now stored, and the lines about it."""

    said: tuple[str, ...]  # what happened, in sentences
    coach: tuple[str, ...]
    """The coach's remark on a choice, if the room has a coach."""
    move: MoveView | None = None
    """The move in figures."""
    brief: tuple[str, ...] | None = None
    """The shortest form of `said`; None if it is no shorter."""
    coach_figures: ChoiceJudged | None = None
    """The coach's remark in figures; None if `coach` is empty."""


@dataclass
class Seated(Done):
    """A room after a link was followed, and the seat that it opened."""

    seat: int | None
    """None if the link opens no seat, such as a watch link."""
    key: str
    """The key to come back with, since a play link works only once."""


@dataclass
class Invitation:
    """The table behind a link that has not been followed yet."""

    invites: Invites | None
    """The table, for a guest who must give a name; None if the link opens without a name."""


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice of a hint."""

    text: str
    """The choice in notation, like the `text` of an offer."""
    name: str  # the choice as its row shows it
    value: str  # the value as text
    cost: str  # the cost as text
    shut: str
    """The chance to shut the box; empty if it is the same for all choices."""
    spoken: str
    """The whole row in words."""
    takes: tuple[str, ...]
    """Keys of the tiles that it takes; empty if it takes anything but tiles."""
    length: float
    """The length of its bar, from 0.2 to 1, the best choice's."""
    is_best: bool  # whether no choice is better
    is_wordy: bool
    """Whether its name is words instead of tile numbers."""


@dataclass
class Hint:
    """Advice for the player who is due."""

    says: tuple[str, ...]  # the hint in sentences
    best: str
    """The best choice in one sentence; empty if none is named."""
    figures: AdviceFigures | None
    """The advice as numbers; None if nothing is ranked."""
    choice: str
    """The text of the choice to advise: the best one, or the careful player's if the best is not
    worked out; empty if hints only list legal choices, or if no choice is due."""
    lead: str = ""
    """The aim of the advice, in a sentence above the rows."""
    rows: tuple[HintRow, ...] = ()
    """The figures as they are printed, the best choice first."""


@dataclass
class Judged:
    """The luck and the skill in a game that is over."""

    game: int
    """Its number in the room, from 1."""
    says: tuple[str, ...]
    """A line for each seat, or the reason why there is no verdict."""
    verdict: Verdict | None  # None if there is none
    mistakes: tuple[str, ...] = ()
    """The mistakes of each seat, counted by the grades of a review: `1 blunder`."""

    @classmethod
    def of(cls, game: int, found: Verdict | str) -> "Judged":
        """Return the reply for a verdict, or for the reason why there is none."""
        if isinstance(found, str):
            return cls(game, (found,), None)
        mistakes = tuple(map(mistakes_words, found.seats))
        return cls(game, tuple(verdict_sentences(found)), found, mistakes)


@dataclass
class ChallengeReply:
    """Links to challenge others by the dice of a game that is over."""

    links: dict[str, str]
    """By seat, those of the caller's own."""


@dataclass
class StepView:
    """The start of a record, or one event of it."""

    says: tuple[str, ...]  # what happened, in sentences
    pieces: tuple[Piece, ...]  # the tiles and dice after it
    seat: int | None  # the seat that acted, if any
    brief: tuple[str, ...] | None = None
    """The shortest form of `says`; None if it is no shorter."""
    full: tuple[str, ...] | None = None
    """The longest form of `says`; None if it is no longer."""
    thrown_at: int = 0
    """The number of the last throw or correction so far; 0 before the first."""


@dataclass
class ReplayView:
    """A record, replayed event by event."""

    title: str  # the title of the game
    players: tuple[str, ...]  # their names, by seat
    fault: str | None  # where the record is damaged, or None
    steps: tuple[StepView, ...]  # the start, then each event


@dataclass
class DayBox:
    """The box of a day."""

    day: str
    """The date, in UTC."""
    number: int  # the number of the day's box
    game: str  # the game in notation
    title: str  # the title of the game
    proof: str
    """The SHA-256 of the seed. The seed itself is published at 00:30 UTC of the day after."""
    begun: int
    """The number of tries that have begun."""
    finished: int  # the number of tries that are over


@dataclass
class TodayReply(DayBox):
    """Today's box, and the caller's try at it."""

    room: str | None = None
    """The room of the caller's try; None if it has not begun or was deleted."""
    mine: DayResult | None = None  # the result of the caller's try
    exact: SoloResult | None = None
    """The result of exact play with these dice. Like `best`, it is sent once the try is over."""
    best: SoloResult | None = None
    """The best possible result, in hindsight."""
    share: str = ""
    """Lines about the try, to share with others: the score, and a square for each throw."""
    spoken: str = ""  # the lines to share, in words
    skills: tuple[Skill, ...] = ()
    """How good the choices after each throw were. `spoken` is what they are in words."""
    past: tuple[PastDay, ...] = ()  # the days whose boxes are over
    next_in: int = 0
    """The seconds until the next box."""
    tomorrow: str = ""
    """The SHA-256 of the seed of that box, which is drawn already."""
    streak: Streak | None = None
    """The caller's days in a row, with the marks of the last seven."""
    losses: Losses | None = None
    """What mistakes cost yesterday's players; today's, once the try is over."""
    hardest: Hardest | None = None
    """The throw that most of yesterday's players got wrong."""


@dataclass
class DayReply(DayBox):
    """The box of a day that is over, with everything that was secret."""

    seed: str  # the seed of the dice
    throws: tuple[tuple[int, ...], ...]
    """The faces of each throw that a try could reach, as they fell; one die shows the first."""
    exact: SoloResult  # the result of exact play
    best: SoloResult  # the best possible result, in hindsight
    ranking: tuple[DayResult, ...]
    """The best 100 finished tries, by increasing loss."""
    mine: DayResult | None  # the result of the caller's try


@dataclass
class PushReply:
    """The state of Web Push at this server."""

    key: str
    """The server's public key in base64url, with which browsers subscribe; empty if it is off."""
