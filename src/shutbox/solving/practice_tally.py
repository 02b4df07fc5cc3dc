"""The answers to practice questions, added up, and which question comes again when.

A question that was answered wrong is missed: it is asked again after a few others, see GAPS. The
tally is an immutable value that follows from the sequence of answers, so only these are stored.
"""

from dataclasses import dataclass, field, replace

from shutbox.engine.messages import gettext, pgettext
from shutbox.solving.options import Number

GAPS = (3, 8, 20)
"""The numbers of answers until a missed question comes again. Each right answer moves it on to the
next gap; after the last one it is dropped."""
MOST_MISSED = 500  # waiting questions; if there are more, those due first are dropped


@dataclass(frozen=True, slots=True)
class Missed:
    """A question that was answered wrong or with a hint, and that is asked again later."""

    id: str  # of the question, its position as text
    due: int  # the total number of answers after which it comes again
    rights: int = 0  # right answers in a row since then: the index of its gap


@dataclass(frozen=True, slots=True)
class PracticeTally:
    """A player's answers to the questions of one game, added up.

    >>> tally = PracticeTally().answered("1.3.4.9/1+3", cost=0.25)
    >>> for position in ("1-9/1+2", "1-9/1+3", "1-9/1+4"):
    ...     print(tally.due_id, tally.right, "of", tally.asked)
    ...     tally = tally.answered(position, cost=0)
    None 0 of 1
    None 1 of 2
    None 2 of 3
    >>> tally.due_id
    '1.3.4.9/1+3'
    """

    asked: int = 0  # questions that were answered
    right: int = 0  # of these, without a hint
    missed: tuple[Missed, ...] = field(default=(), repr=False)  # in the order they are due
    row: int = 0  # right answers in a row until now

    @property
    def due_id(self) -> str | None:
        """The id of the missed question that is due now; None if none is due."""
        first = self.missed[0] if self.missed else None
        return first.id if first and first.due <= self.asked else None

    def answered(self, id: str, *, cost: Number, hinted: bool = False) -> "PracticeTally":
        """Return the tally after an answer: right if without cost and hint, else missed."""
        right = not cost and not hinted
        count = self.asked + 1
        waiting = {missed.id: missed for missed in self.missed}
        before = waiting.pop(id, None)
        if not right:
            waiting[id] = Missed(id, count + GAPS[0])
        elif before is not None and (rights := before.rights + 1) < len(GAPS):
            waiting[id] = Missed(id, count + GAPS[rights], rights)
        in_order = sorted(waiting.values(), key=lambda missed: missed.due)[-MOST_MISSED:]
        row = self.row + 1 if right else 0
        return PracticeTally(count, self.right + right, tuple(in_order), row)

    def verdict(self, best_says: str, cost: Number) -> str:
        """Return what to say of the answer counted last; `best_says` is the best choice, spoken.

        >>> PracticeTally(9, 9, row=7).verdict("9", 0), PracticeTally(9, 8).verdict("9", 0.8)
        ('Right. 7 in a row.', 'Wrong. Better: 9.')
        """
        if cost:
            return gettext("Wrong. Better: {choice}.", choice=best_says)
        if self.row < 2:
            return pgettext("answer", "Right.")
        return gettext("Right. {number} in a row.", number=self.row)

    def without_missed(self, id: str) -> "PracticeTally":
        """Return a tally in which a question is not missed, for one that can no longer be asked."""
        return replace(self, missed=tuple(m for m in self.missed if m.id != id))
