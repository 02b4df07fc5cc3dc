"""What a room remembers of each seat, and of each thing that happened."""

from dataclasses import dataclass

from shutbox.web.rooms.events import Planned


@dataclass(slots=True)
class SeatState:
    """One seat now."""

    plan: Planned
    name: str
    taken: bool
    left: bool = False
    stand_in: str = ""
    """The computer player that goes on for the player of the seat."""
    links: int = 0
    """How often its links have been made anew."""

    @property
    def is_there(self) -> bool:
        """Whether the player of the seat plays, and has not left."""
        return not self.left and not self.stand_in

    @property
    def computer(self) -> str:
        """The computer player that plays here, if one does."""
        return self.plan.computer or self.stand_in


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as everybody hears of it."""

    number: int
    kind: str
    seat: int | None
    says: tuple[str, ...]
