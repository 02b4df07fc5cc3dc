"""What is answered: plain values, which the API shows as JSON and the pages as pages."""

from dataclasses import dataclass

from shutbox.analysis.advice.ranking import AdviceFigures
from shutbox.analysis.hindsight import SoloResult
from shutbox.analysis.review.verdict import Verdict, mistakes_words, verdict_sentences
from shutbox.scene import Piece
from shutbox.web.rooms.days import DayResult, PastDay
from shutbox.web.rooms.room import LogLine
from shutbox.web.rooms.table_view import MoveView
from shutbox.web.rooms.view import Invites, RulesView, View, You


@dataclass
class RoomReply:
    """A room, and who is looking."""

    view: View
    you: You
    log: tuple[LogLine, ...]
    rules: RulesView


@dataclass
class Done:
    """What a room is like after something was done."""

    number: int
    view: View
    you: You


@dataclass
class OpenedReply(Done):
    """A room that was opened, with every secret of it, told only here."""

    keys: dict[str, str]
    """The key of each seat by its number, and of `watch` and `host`; hand one back as
    `Authorization: Bearer KEY`, several with commas between them."""


@dataclass
class Acted(Done):
    """What came of it, on the disk."""

    said: tuple[str, ...]
    coach: tuple[str, ...]
    move: MoveView | None = None
    """What was done, in figures."""
    brief: tuple[str, ...] | None = None
    """What was said to those who want to hear least; None where it is no shorter."""


@dataclass
class Seated(Done):
    """What a link opened."""

    seat: int | None
    """None: the link is for watching."""
    key: str
    """The key to come back with; a play link is good for one entering."""


@dataclass
class Invitation:
    """What a link opens."""

    invites: Invites | None
    """The table, for a guest who is asked for a name; None where the link opens without one."""


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice of a hint."""

    text: str
    """The choice in notation, as an offer has it."""
    name: str
    value: str
    cost: str
    shut: str
    """The chance to shut the box; empty where it is the same whatever is chosen."""
    spoken: str
    """All of it in words."""
    takes: tuple[str, ...]
    """Keys of the tiles that it takes; none where it takes anything else."""
    length: float
    """Of its bar, from 0 to 1."""
    is_best: bool
    is_wordy: bool
    """Whether its name is words, and not the numbers of tiles."""


@dataclass
class Hint:
    """Advice for the player who is due."""

    says: tuple[str, ...]
    best: str
    """The best choice in one sentence; empty where none is named."""
    figures: AdviceFigures | None
    """The same as numbers; none where nothing is ranked."""
    choice: str
    """The text of a choice to advise: the best one, or the careful player's where the best is not
    worked out; empty where hints tell only what is legal."""
    lead: str = ""
    """What is played for, in a sentence above the rows."""
    rows: tuple[HintRow, ...] = ()
    """The figures as they are printed, the best choice first."""


@dataclass
class Judged:
    """What was luck and what was skill in a game that is over."""

    game: int
    """Its number in the room, from 1."""
    says: tuple[str, ...]
    """A line for each seat; or why there is no verdict."""
    verdict: Verdict | None
    mistakes: tuple[str, ...] = ()
    """What the mistakes of each seat are called, by the grades of a review: `1 blunder`."""

    @classmethod
    def of(cls, game: int, found: Verdict | str) -> "Judged":
        """That of a game, or why there is none."""
        if isinstance(found, str):
            return cls(game, (found,), None)
        mistakes = tuple(map(mistakes_words, found.seats))
        return cls(game, tuple(verdict_sentences(found)), found, mistakes)


@dataclass
class StepView:
    """One event of a record."""

    says: tuple[str, ...]
    pieces: tuple[Piece, ...]
    seat: int | None
    brief: tuple[str, ...] | None = None
    """The same to those who want to hear least; None where it is no shorter."""
    full: tuple[str, ...] | None = None
    """The same to those who want to hear most; None where it is no longer."""


@dataclass
class ReplayView:
    """A record, played again."""

    title: str
    players: tuple[str, ...]
    fault: str | None
    steps: tuple[StepView, ...]


@dataclass
class DayBox:
    """The box of a day."""

    day: str
    """In UTC."""
    game: str
    title: str
    proof: str
    """The SHA-256 of the seed, which is told once the day is over."""
    begun: int
    """How many have begun their try."""
    finished: int


@dataclass
class TodayReply(DayBox):
    """Today's box, and how the try of who asks stands."""

    room: str | None = None
    """Where one's own try is played."""
    mine: DayResult | None = None
    exact: SoloResult | None = None
    """What exact play gets with these dice; told once one's own try is over, as `best` is."""
    best: SoloResult | None = None
    """The best that could be had, in hindsight."""
    share: str = ""
    """A line to tell others."""
    past: tuple[PastDay, ...] = ()


@dataclass
class DayReply(DayBox):
    """The box of a day that is over, with all that was secret."""

    seed: str
    throws: tuple[tuple[int, ...], ...]
    """Every throw that anybody could come to, its faces as they fell: one die shows the first."""
    exact: SoloResult
    best: SoloResult
    ranking: tuple[DayResult, ...]
    """The first 100."""
    mine: DayResult | None
