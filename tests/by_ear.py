"""What was heard of what happened: each event whole, summed, cut, or never, counted.

`heard_of` compares the truth (the log of a table, or what a terminal has written) with the lines
of a voice (`terminal.voices`). An event counts as summed if it was not heard whole, but a sentence
such as "Skipped 11 lines." was, before the next event of other players.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

SPEED = 22.0
"""Letters a second: how fast people listen who are used to it."""
WAYS = ("silence", "heard", "half", "written")
"""When a player presses: after silence, when the question was heard, each half second, at once."""
_SKIPPED = re.compile(r"\bSkipped (\d+|a|one) lines?\b|(\d+) Zeilen? übersprungen")


class Said(Protocol):
    """A line of a voice; see `terminal.voices.Line`."""

    text: str
    how: str


class Event(NamedTuple):
    """What happened: its sentences, whether it is of the player who listens, and if it is a throw.

    One's own throws must be heard; everything else may be summed.
    """

    says: tuple[str, ...]
    mine: bool
    throw: bool


@dataclass
class Heard:
    """What became of all events, and of the keys."""

    events: int = 0
    whole: int = 0
    summed: int = 0
    cut: int = 0
    never: int = 0
    doubled: int = 0
    repeated: int = 0  # one's own throws, said again after a key that may have cut them
    keys: int = 0
    most: int = 0  # lines of events that one key has silenced
    again: int = 0  # moves that had to be typed again, since nothing came of the keys
    letters: float = 0.0  # of an event, mean
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    sums: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.events} events of {self.letters:.0f} letters: {self.whole} whole, "
            f"{self.summed} summed, {self.cut} cut, {self.never} never; {self.doubled} doubled, "
            f"{self.repeated} own throws repeated; "
            f"{self.keys} keys, at most {self.most} lines for one, {self.again} typed again"
        )

    @property
    def faults(self) -> list[str]:
        """What must not be: events lost or doubled, and keys that silence more than one line."""
        many = [f"a key silenced {self.most} lines"] if self.most > 1 else []
        return [*self.lost, *(f"twice: {text}" for text in self.twice), *many]


def bare(text: str) -> str:
    """Return a text for comparison: Orca adds spaces, and those of the page vary."""
    return " ".join(text.split()).casefold()


def times_in(said: str, text: str) -> int:
    """Return how often a text is said, but not by somebody else, whose name comes before."""
    return said.count(text) - said.count(f": {text}")


def heard_of(
    events: Sequence[Event],
    lines: Sequence[Said],
    cancels: Sequence[Sequence[Said]] = (),
    keys: int = 0,
    again: int = 0,
) -> Heard:
    """Compare events with the lines of a voice, both in order."""
    found = Heard(events=len(events), keys=keys, again=again)
    said = [bare(line.text) for line in lines]
    whole = [line.how == "whole" for line in lines]
    sentences = [(number, bare(text)) for number, event in enumerate(events) for text in event.says]

    def matches(sentence: tuple[int, str], place: int) -> bool:
        return times_in(said[place], sentence[1]) > 0

    at = _aligned(sentences, [place for place, is_whole in enumerate(whole) if is_whole], matches)
    places = [_last(at[number]) for number in range(len(events))]
    sums = [
        (place, 1 if skipped[1] in ("a", "one") else int(skipped[1] or skipped[2]))
        for place, line in enumerate(lines)
        if whole[place] and (skipped := _SKIPPED.search(line.text))
    ]
    found.sums = [lines[place].text for place, _ in sums]
    found.whole = sum(place is not None for place in places)
    found.letters = sum(len(" ".join(event.says)) for event in events) / max(1, len(events))
    begun = [place for place, line in enumerate(lines) if line.how == "cut"]
    left = dict(sums)  # how many events each sentence still stands for
    for number, event in enumerate(events):
        if places[number] is not None:
            continue
        before = max((p for p in places[:number] if p is not None), default=-1)
        after = min(
            (p for p, e in zip(places, events, strict=True) if p and p > before and not e.mine),
            default=len(lines),
        )
        sums_it = (place for place in left if before < place < after and left[place])
        if not (event.mine and event.throw) and (place := next(sums_it, -1)) >= 0:
            left[place] -= 1
            found.summed += 1
            continue
        parts = [(number, bare(text)) for text in event.says]
        is_cut = any(at[number]) or any(
            matches(part, place) for part in parts for place in begun if before < place < after
        )
        found.cut += is_cut
        found.never += not is_cut
        whose = "own " if event.mine else ""
        found.lost.append(f"{whose}{'cut' if is_cut else 'never'}: {' '.join(event.says)}")
    throws = {bare(event.says[0]) for event in events if event.mine and event.throw}
    for text in {text for _, text in sentences}:
        heard = sum(times_in(said[place], text) for place in range(len(lines)) if whole[place])
        more = heard - sum(times_in(other, text) for _, other in sentences)
        if more > 0 and text in throws:  # a page cannot know what was heard before a key
            found.repeated += more
        elif more > 0:
            found.doubled += more
            found.twice.append(text)
    told = {
        id(line)
        for place, line in enumerate(lines)
        if any(matches(sentence, place) for sentence in sentences)
    }
    found.most = max((sum(id(line) in told for line in some) for some in cancels), default=0)
    return found


def _last(places: Sequence[int | None]) -> int | None:
    """Return where the last sentence of an event was heard; None if not all were."""
    heard = [place for place in places if place is not None]
    return max(heard) if len(heard) == len(places) else None


def _aligned(
    sentences: Sequence[tuple[int, str]],
    places: Sequence[int],
    matches: Callable[[tuple[int, str], int], bool],
) -> dict[int, list[int | None]]:
    """Return, for each event, the places where its sentences were heard, as many as possible.

    The order is kept: of sentences that are said more than once, each is found in its place. One
    place can hold several sentences that follow one another.
    """
    rows, columns = len(sentences), len(places)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    here = [[0] * (columns + 1) for _ in range(rows + 1)]  # if this sentence is heard at this place
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            if matches(sentences[row], places[column]):
                is_other = row + 1 < rows and sentences[row][1] != sentences[row + 1][1]
                goes_on = here[row + 1][column] if is_other else 0
                here[row][column] = 1 + max(best[row + 1][column + 1], goes_on)
            best[row][column] = max(best[row + 1][column], best[row][column + 1], here[row][column])
    at: dict[int, list[int | None]] = {}
    column, stays = 0, False
    for row, sentence in enumerate(sentences):
        is_same = row > 0 and sentence[1] == sentences[row - 1][1]
        if stays and (is_same or here[row][column] <= best[row][column + 1]):
            column, stays = column + 1, False
        while not stays and column < columns and here[row][column] < best[row][column]:
            if best[row + 1][column] == best[row][column]:
                break  # this sentence is not heard
            column += 1
        is_heard = stays or (column < columns and 0 < here[row][column] == best[row][column])
        at.setdefault(sentence[0], []).append(places[column] if is_heard else None)
        stays = is_heard
    return at
