"""The door table: read from its files, and run door by door.

A section is an action and what is sent with it. A line of its cells is a phase, a column a caller,
and a cell what comes of it: a refusal by its code (`CODES` has the short ones), `.` for what does
not occur, `ok`, or one of the section's outcomes. An outcome says what the others are told, and
what the caller is shown afterwards. Whatever is refused changes nothing for anybody, and tells
nobody a secret. `worlds.py` says who the callers are, and `resolved` what `@ann` and so on send.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from web.doors.api import Api, Keys
from web.doors.device import Devices, DeviceWorld
from web.doors.form import Forms
from web.doors.worlds import NAMES, OUTSIDERS, SEATS, Site, World

HERE = Path(__file__).parent
DOORS = {door.name: door for door in (Api(), Keys(), Forms(), Devices())}
CODES = {
    "-": "not-allowed",
    "turn": "not-your-turn",
    "late": "out-of-date",
    "illegal": "illegal-choice",
    "full": "no-free-seat",
    "none": "unknown-record",
}
_PLAYERS = re.compile(r"(?<![\w-])(Bob|Cleo)(?![\w-])")  # in a key it is chance
_QUIET = ("enter", "delete-data")  # these change who may come, and others need not be told
_FIELDS = {"action", "sends", "before", "table", "cells", "doors"}


@dataclass(frozen=True)
class Outcome:
    """What comes of something that is done."""

    others: tuple[str, ...] = ()  # what others are told, in order
    shown: tuple[str, ...] = ()  # what the caller is shown then; "no X" for what not
    opens: tuple[str, ...] = ()  # the same at the table that was opened


@dataclass(frozen=True)
class Section:
    """An action, what is sent with it, and what comes of it by phase and caller."""

    name: str  # as the table calls it
    action: str  # as the registry calls it, or what a page alone does
    sends: Mapping[str, Any]
    before: tuple[str, ...]  # what is done first: callers, each with the name of a section
    table: Mapping[str, Any]  # how the table is opened, besides the usual
    cells: Mapping[tuple[str, str], str]  # by phase and caller
    outcomes: Mapping[str, Outcome]
    doors: tuple[str, ...]  # the doors that there are

    def outcome(self, cell: str) -> Outcome | None:
        """Return the outcome of a cell, None for a refusal."""
        return Outcome() if cell == "ok" else self.outcomes.get(cell)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _cells(text: str, name: str) -> Iterator[tuple[tuple[str, str], str]]:
    head, *lines = text.strip().splitlines()
    callers = head.split()
    for line in lines:
        phase, *cells = line.split()
        cells = cells * len(callers) if len(cells) == 1 else cells
        assert len(cells) == len(callers), f"{name}: {line}"
        yield from (((phase, who), cell) for who, cell in zip(callers, cells, strict=True))


def _section(name: str, about: dict[str, Any]) -> Section:
    more = {word: value for word, value in about.items() if word not in _FIELDS}
    outcomes = {
        word: Outcome(
            tuple(value.get("others", "").split()),
            *(_words(value.get(field, "")) for field in ("shown", "opens")),
        )
        for word, value in more.items()
    }
    return Section(
        name=name,
        action=about.get("action", name),
        sends=about.get("sends", {}),
        before=tuple(about.get("before", ())),
        table=about.get("table", {}),
        cells=dict(_cells(about["cells"], name)),
        outcomes=outcomes,
        doors=tuple(about.get("doors", DOORS)),
    )


def sections() -> dict[str, list[Section]]:
    """Return the sections of the door table by name."""
    found: dict[str, list[Section]] = {}
    for path in sorted(HERE.glob("*.toml")):
        for name, about in tomllib.loads(path.read_text(encoding="utf-8")).items():
            assert name not in found, name
            found[name] = [_section(name, one) for one in about]
    return found


TABLE = sections()


def resolved(
    world: World | DeviceWorld, view: Any, who: str, sends: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is sent with its names of seats, games and keys replaced by what they are now."""
    table = view["table"] if view else None
    offers = table["offers"] if table else []
    known = {
        "@own": SEATS.get(who, 0),
        **{f"@{name.lower()}": seat for seat, name in enumerate(NAMES)},
        "@game": table["game"] if table else 0,
        "@later-game": table["game"] + 1 if table else 1,
        "@version": table["version"] if table else 0,
        "@earlier": max(0, table["version"] - 1) if table else 0,
        "@offer": offers[0]["text"] if offers else "1",
        "@p256dh": "A" * 87,
        "@auth": "A" * 22,
        "@gid": view["seal"]["gid"] if view and view["seal"] else "0" * 32,
    }
    if isinstance(world, World) and "host" in world.people:
        known |= _keys(world)
    return {
        name: known.get(value, value) if isinstance(value, str) else value
        for name, value in sends.items()
    }


def _keys(world: World) -> dict[str, str]:
    """Return the keys of the links by which callers come to a table of friends."""
    people, last = world.people, str(len(world.keys) - 3)
    found = {"@watch": "spectator", "@renewed": "shut-out", "@ann-key": "player"}
    return {
        "@free": world.keys[last],
        "@used": world.keys["1"],
        "@host-key": people["host"].key,
        "@join": world.join,
        "@message": f"Ann: join #us at http://testserver/r/{world.room}#{world.join}. "
        + "See you! " * 40,
        **{token: people[who].key for token, who in found.items()},
    }


async def _made(door: str, site: Site, phase: str, about: Section, *, screen: bool) -> Any:
    """Return a new world in which this is about to be done."""
    if door == "device":
        world: Any = DeviceWorld(phase)
        await world.begin(about.table)
    else:
        world = await site.world(phase, screen=screen, table=about.table)
    if phase == "expired":
        return world
    for step in about.before if phase != "closed" else ():
        doer, name = step.split()
        one = TABLE[name][0]
        sent = resolved(world, await world.view(), doer, one.sends)
        await world.call("screen" if screen else doer, one.action, **sent)
    world.number = (await world.view())["number"]
    world.keep()
    await world.rewind()
    return world


class Case:
    """The cells of an action at one door."""

    def __init__(self, site: Site, action: str, door: str) -> None:
        self.site, self.door, self.action = site, DOORS[door], action
        self.faults: list[str] = []

    async def run(self) -> list[str]:
        """Return what is wrong at this door, a line for each fault."""
        for section in TABLE[self.action]:
            if self.door.name not in section.doors or not self.door.has(section.action):
                continue
            for phase in dict.fromkeys(phase for phase, _ in section.cells):
                cells = {w: c for (p, w), c in section.cells.items() if p == phase and c != "."}
                for screen in (False, True):
                    group = {w: cell for w, cell in cells.items() if (w == "screen") is screen}
                    if group and self._comes(phase, screen=screen):
                        await self._phase(section, phase, group)
        return self.faults

    def _comes(self, phase: str, *, screen: bool) -> bool:
        """Whether this door has such a phase and such callers."""
        on_device = screen and phase in ("playing", "over", "given-up")
        return on_device or self.door.name != "device"

    async def _phase(self, section: Section, phase: str, cells: dict[str, str]) -> None:
        refused = {who: cell for who, cell in cells.items() if section.outcome(cell) is None}
        done = {who: cell for who, cell in cells.items() if who not in refused}
        beside, screen, kind = next(iter(done), ""), "screen" in cells, self.door.name
        at = f"{section.name} {dict(section.sends)}, {phase}"
        how = f"{kind == 'device'} {phase} {screen} {section.table} {section.before}"
        if how not in self.site.worlds:
            self.site.worlds[how] = await _made(kind, self.site, phase, section, screen=screen)
        world = self.site.worlds[how]
        view = None if phase == "expired" else await world.view()
        if refused:
            await self._refused(section, world, view, refused, beside, at)
        for who, cell in done.items():
            outcome = section.outcome(cell)
            assert outcome is not None
            await self._done(section, world, view, who, outcome, f"{at}, {who}")
            is_known_anew = bool(outcome.opens) or who == "newcomer"
            if outcome.others or is_known_anew or section.action in _QUIET:
                await world.rewind()

    async def _refused(
        self,
        section: Section,
        world: Any,
        view: Any,
        cells: Mapping[str, str],
        beside: str,
        at: str,
    ) -> None:
        """Try what is refused, and see that it changes nothing."""
        sees = DOORS["device" if self.door.name == "device" else "api"]
        before = {who: await sees.shown(world, who) for who in cells}
        for who, cell in cells.items():
            sends = resolved(world, view, who, section.sends)
            reply = await self.door.do(world, who, section.action, sends, beside)
            wanted = self.door.expects(CODES.get(cell, cell), section.action)
            if reply.code != wanted:
                self.faults.append(f"{at}, {who}: {reply.code}, not {wanted}")
            self._secrets(world, who, reply.told, sends, f"{at}, {who}")
        if world.phase == "expired":
            return
        news = await world.news("nobody")
        if news:
            self.faults.append(f"{at}: {', '.join(cells)} are refused, but others see {news}")
        for who, seen in before.items():
            if (now := await sees.shown(world, who)) != seen:
                self.faults.append(f"{at}, {who}: was shown {_apart(seen, now)} after a refusal")
                news = news or ["something"]
        if news or "newcomer" in cells:
            await world.rewind()

    def _secrets(self, world: Any, who: str, told: str, sends: Mapping[str, Any], at: str) -> None:
        if not isinstance(world, World):
            return
        for secret, owners in world.secrets().items():
            if who not in owners and secret in told and secret not in sends.values():
                self.faults.append(f"{at}: is told a secret")
        if who in OUTSIDERS and "key" not in sends and _PLAYERS.search(told):
            self.faults.append(f"{at}: is told who plays")

    async def _done(
        self, section: Section, world: Any, view: Any, who: str, outcome: Outcome, at: str
    ) -> None:
        sends = resolved(world, view, who, section.sends)
        reply = await self.door.do(world, who, section.action, sends, "")
        if reply.code != "ok":
            self.faults.append(f"{at}: {reply.code}, not ok")
            return
        if section.action not in ("enter", "renew"):  # these tell the caller's own key
            self._secrets(world, who, reply.told, sends, at)
        news = await world.news(who)
        if news != [*outcome.others]:
            self.faults.append(f"{at}: others see {news}, not {[*outcome.others]}")
        own = NAMES[SEATS.get(who, 0)].lower()
        for room, words in ((world.room, outcome.shown), (reply.room, outcome.opens)):
            if words:
                before, world.room = world.room, room
                shown = await self.door.shown(world, who, "") or frozenset()
                world.room = before
                self._compare([word.replace("own:", f"{own}:") for word in words], shown, at)

    def _compare(self, words: list[str], shown: frozenset[str], at: str) -> None:
        for word in words:
            if (word.removeprefix("no ") in shown) == word.startswith("no "):
                self.faults.append(f"{at}: is not shown {word}, but {sorted(shown)}")


def _apart(before: Any, now: Any) -> str:
    if before is None or now is None:
        return "nothing any more" if now is None else "the table"
    return f"+{sorted(now - before)} -{sorted(before - now)}"
