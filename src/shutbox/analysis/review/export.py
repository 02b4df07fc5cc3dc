"""Reviews for other programs: rows for `csv.writer`."""

from collections.abc import Iterator

from shutbox.analysis.review.report import Review, ReviewedThrow, as_written
from shutbox.game import position_text

COLUMNS = (
    *("record", "begun", "game", "unit", "version", "number", "seat", "name", "turn", "kind"),
    *("did", "position", "luck", "worth", "cost", "best", "grade", "deltas"),
)
"""The head of the rows: one row for each event. Seats count from 0, as in JSON; the deltas of all
seats have a space between them. What an event has not is empty."""


def rows(
    review: Review, *, record: str = "", begun: str = "", exact: bool = False
) -> Iterator[tuple[object, ...]]:
    """A row for each event, under COLUMNS."""
    whole = review.report(exact=exact)
    same = (record, begun, whole["game"], whole["unit"], review.version)
    for event, told in zip(review.events, whole["events"], strict=True):
        if isinstance(event, ReviewedThrow):
            did, worth = str(event.roll), None
        else:
            did, worth = event.choice, event.value
        yield (
            *same,
            *(event.number, event.seat, review.seats[event.seat].name, event.turn, told["kind"]),
            *(did, position_text(review.game, event.before), told.get("luck")),
            None if worth is None else as_written(worth, exact=exact),
            *(told.get(key) for key in ("cost", "best", "grade")),
            " ".join(map(str, told["delta"])),
        )
