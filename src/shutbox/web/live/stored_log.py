"""A room and its log: what is stored of what happens, and the room that it leads to."""

import json
from collections.abc import Callable, Sequence

from shutbox.errors import ShutboxError
from shutbox.web.errors import NewerStore
from shutbox.web.live.live_room import Completed
from shutbox.web.logs import log, one_line
from shutbox.web.rooms import events
from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.room import Room, replayed
from shutbox.web.storage.group_commit import Batch
from shutbox.web.storage.host import Write, notice
from shutbox.web.storage.reader import numbered_events
from shutbox.web.storage.schema import Grant, StoredEvent
from shutbox.web.storage.seals import sealed

Also = Callable[[str, float], tuple[Write, ...]]
"""What else is written when a room is opened, by its id and the time."""


def nothing(room: str, at: float) -> tuple[Write, ...]:
    """Nothing else."""
    return ()


def not_read(error: Exception) -> NewerStore:
    """What is stored is whole, and this release cannot play it again."""
    bug = None if isinstance(error, ShutboxError) else error
    log.error("room not read", reason=one_line(error), mend="shutbox admin verify", exc_info=bug)
    return events.newer()


def replayed_log(id: str, rows: Sequence[StoredEvent]) -> tuple[Room, dict[str, Completed]]:
    """The room that a log leads to, and the actions in it."""
    return replayed(id, numbered_events(rows)), completed(rows)


def completed(rows: Sequence[StoredEvent]) -> dict[str, Completed]:
    """What was asked for in these events, and what came of it, by the id of the action."""
    return {
        row.action: (row.by, Outcome(row.number, tuple(json.loads(row.answer or "[]"))))
        for row in rows
        if row.action is not None
    }


def batch_of(
    room: Room,
    seal: str,
    numbered: Sequence[events.Numbered],
    made: RoomChange,
    key: IdempotencyKey | None,
) -> Batch:
    """What happens after that seal, as it is stored; events of a game have their place there."""
    anew = (event.seat for event in made.events if isinstance(event, events.Renewed))
    rows, version = [], room.table.version if room.table else 0
    for number, at, event in numbered:
        played = isinstance(event, events.Played)
        version += played
        row = StoredEvent(
            room=room.id,
            number=number,
            game=room.game if played else None,
            version=version if played else None,
            at=at,
            action=key.action if key else None,
            by=key.by if key else None,
            answer=events.json_text(made.answer) if played and made.answer else None,
            entry=events.encoded(event),
        )
        rows.append(row)
        key = None  # the action goes with the first
    return Batch(
        events=sealed(seal, rows),
        seal=seal,
        grants=tuple(Grant(room.id, *one) for one in made.devices),
        revokes=tuple((room.id, seat) for seat in (*anew, *made.revokes)),
        also=(notice("change", room.id),) if made.by_host else (),
    )
