"""The header of a record: the game, the time, the players, and the source of the dice.

Its lines are checked only as text: a game need not exist, and a name need only fit into a line. A
header has exactly one written form, so reading it and writing it again changes no byte.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from shutbox.engine.english import listed, safe_text, shown
from shutbox.engine.errors import BadRecord
from shutbox.engine.game import C, Game, Over, P
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.names import LONGEST_NAME, letters_in
from shutbox.engine.sealed_dice import Seal, read_seal
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat
from shutbox.engine.typed_text import check_type
from shutbox.record.lines import Lines, code_of, encode, one_line_text, text_of

VERSION = 1  # of the format, the only one read and written

LONGEST_SEED = 1000  # the most characters of a seed in a record
KINDS = ("system", "hand", "seed", "day", "date", "challenge")  # of dice, besides sealed ones
_DATED = ("day", "date")  # those with a day
_DAY = re.compile("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_BEGUN = re.compile(f"{_DAY.pattern} ([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60) UTC")
_FIRST = re.compile(rb"shutbox record ([1-9][0-9]{0,8})\n")
_MARKS = re.compile(r'[,=:#"\\]')  # with a meaning in records or lists of players, so in no name

_AFTER: dict[str, tuple[str, ...]] = {
    "shutbox": ("program",),
    "program": ("begun",),
    "begun": ("game",),
    "game": ("package", "format", "position", "player"),
    "package": ("format", "position", "player"),
    "format": ("position", "player"),
    "position": ("player",),
    "player": ("player", "dice"),
    "dice": ("begin",),
}
"""The words with which a line of the header can begin, by the word of the line before it."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a play's dice. Raises BadRecord for an unknown kind, or bad or needless fields.

    A seed is written as a JSON string in ASCII, so it is one line whatever it contains.

    >>> print(Source(), Source("hand"), Source("seed", "pub"))
    system hand seed "pub"
    >>> print(Source("day", day="2026-11-23"), Source("date", day="2026-11-23"))
    day 2026-11-23 date 2026-11-23
    """

    kind: str = "system"
    """`system`: the operating system; `hand`: people throw and type in the roll; `seed`; `day`: a
    server's seed of a day, the same for all its players, which it publishes the day after; `date`:
    the date alone, so they can be known beforehand;
    `challenge`: the known dice of another game, which was over;
    `sealed`: a seed in an envelope that is opened when the game is over."""
    seed: str = ""  # the seed; empty for other kinds
    day: str = ""  # the day, in UTC, such as 2026-11-23; empty for other kinds
    seal: Seal | None = None  # the seal of sealed dice; None for other kinds

    def __post_init__(self) -> None:
        for text in (self.seed, self.day):
            check_type(text, str)
        if self.kind not in KINDS and self.seal is None:
            kinds, kind = listed(KINDS, "or"), shown(self.kind)
            raise BadRecord("dice are of {kinds}, not of {kind}", kinds=kinds, kind=kind)
        if self.kind in _DATED and not _DAY.fullmatch(self.day):
            raise BadRecord("{day} is no day such as 2026-11-23", day=shown(self.day))
        if (self.day and self.kind not in _DATED) or (self.seed and self.kind != "seed"):
            raise BadRecord("dice of the {kind} have no such seed or day", kind=self.kind)
        if len(self.seed) > LONGEST_SEED:
            facts = {"number": len(self.seed), "most": LONGEST_SEED}
            raise BadRecord("the seed has {number} characters; at most {most}", **facts)
        if self.kind == "seed" and _read_seed(_write_seed(self.seed)) != self.seed:
            raise BadRecord("the seed {seed} has a character in two halves", seed=shown(self.seed))

    @property
    def tells_dice(self) -> bool:
        """Whether the dice follow from what is written here: a seed, or a date."""
        return self.kind in ("seed", "date")

    def __str__(self) -> str:
        if self.seal is not None:
            return str(self.seal)
        seed = _write_seed(self.seed) if self.kind == "seed" else ""
        return " ".join(filter(None, (self.kind, self.day, seed)))


def read_source(text: str) -> Source:
    """Return the source that `str` writes as a text such as `hand`. Raises BadRecord if none."""
    kind, space, what = text.partition(" ")
    if kind in _DATED:
        source = Source(kind, day=what)
    elif kind == "sealed":
        source = Source(kind, seal=read_seal(text))
    else:
        source = Source(kind, _read_seed(what) if space else "")
    if str(source) != text:
        facts = {"right": shown(str(source)), "text": shown(text)}
        raise BadRecord("the dice are written {right}, not {text}", **facts)
    return source


def _write_seed(seed: str) -> str:
    import json  # imported only for a seed, so that a game starts faster

    return json.dumps(seed)


def _read_seed(text: str) -> str:
    import json

    # Only a text in quotes is parsed: a number or a list could be more than the parser can take.
    if text.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(text))
    raise BadRecord(
        "{text} is no seed; it is written in quotes, as JSON writes a text", text=shown(text)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of a record: a play without its events. Raises BadRecord if it cannot be written.

    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
    ...     players=(Seat("Ann"), Seat("Robo", "most")),
    ... )
    >>> print(bytes(header).decode(), end="")
    shutbox record 1
    program shutbox 0.1.0
    begun 2026-11-21 12:00:05 UTC
    game classic
    player Ann
    player Robo=computer:most
    dice system
    begin #b361bf17
    """

    program: str  # the program that wrote the record, with its version
    begun: str  # the time when the play began, such as 2026-11-21 12:00:05 UTC
    game: str  # the game in the notation of names
    package: str = ""  # the package of a plugin's game, with its version; empty for other games
    format: str = ""  # the format of a match, in its own notation; empty: a single turn
    position: str = ""  # where the play began, as the game writes it; empty: at its start
    players: tuple[Seat, ...]  # by seat
    dice: Source = Source()

    def __post_init__(self) -> None:
        one_line_text(pgettext("part of a record", "the program"), self.program)
        _check_begun(self.begun)
        one_line_text(pgettext("part of a record", "the game"), self.game)
        for text in filter(None, (self.package, self.format, self.position)):
            one_line_text(pgettext("part of a record", "the line"), text)
        _check_players(self.players)
        for line in self._lines():
            encode(line)

    def _lines(self) -> Iterator[str]:
        yield f"shutbox record {VERSION}"
        for word in ("program", "begun", "game", "package", "format", "position"):
            if text := getattr(self, word):
                yield f"{word} {text}"
        yield from (f"player {seat}" for seat in self.players)
        yield f"dice {self.dice}"

    def line_of(self, word: str) -> int:
        """Return the number, from 1, of the line with this word; that of `game` if none has it."""
        words = [line.partition(" ")[0] for line in self._lines()]
        return words.index(word if word in words else "game") + 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(seat.name for seat in self.players)

    def name_of(self, seat: int) -> str:
        """Return the name of the player in a seat. Raises BadRecord for a seat without one."""
        if not 0 <= seat < len(self.players):
            facts = {"player": seat + 1, "number": len(self.players)}
            raise BadRecord("player {player} is to act; the record names {number}", **facts)
        return self.players[seat].name

    def start(self, game: Game[P, C]) -> P:
        """Return the position where the play began: `position`, or else the start of the game.

        Raises what `position_at` raises, and BadRecord if the game is over there, or if
        `position_id` writes that position differently.

        >>> from shutbox import find
        >>> header = Header(
        ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
        ...     position="1.5.9/2+4", players=(Seat("Ann"),),
        ... )
        >>> find("classic").position_id(header.start(find("classic")))
        '1.5.9/2+4'
        """
        if not self.position:
            return game.start()
        position = game.position_at(self.position)
        if (written := game.position_id(position)) != self.position:
            facts = {"text": shown(self.position), "written": written}
            raise BadRecord("the position {text} is written {written}", **facts)
        if isinstance(game.awaits(position), Over):
            # Translators: {text} is a position, such as classic:1.5.9, not a time.
            raise BadRecord("the game is over at {text}", text=shown(self.position))
        return position

    @property
    def code(self) -> str:
        """The check code of the header, from which the codes of its events are computed."""
        return code_of(b"".join(map(encode, self._lines())))

    def __bytes__(self) -> bytes:
        """Return the header as the beginning of a record, including the line `begin`."""
        return b"".join(map(encode, [*self._lines(), f"begin #{self.code}"]))


def _check_begun(text: str) -> None:
    if not _BEGUN.fullmatch(safe_text(text, str)):
        raise BadRecord("{text} is no time such as 2026-11-21 12:00:05 UTC", text=shown(text))


def _check_players(players: Sequence[Seat]) -> None:
    """Raise BadRecord unless 1 to MOST_SEATS players have valid names and kinds, no name twice."""
    if not 1 <= len(players) <= MOST_SEATS:
        number = {"number": len(players), "most": MOST_SEATS}
        raise BadRecord("{number} players; a record has 1 to {most}", **number)
    for seat in players:
        check_type(seat, Seat)
        one_line_text(pgettext("part of a record", "the name"), seat.name)
        if letters_in(seat.name) > LONGEST_NAME or _MARKS.search(seat.name):
            facts = {"name": shown(seat.name), "most": LONGEST_NAME}
            raise BadRecord(
                '{name} is no name; it has at most {most} characters and none of , = : # " \\',
                **facts,
            )
        if seat.computer:
            one_line_text(gettext("the kind of computer player"), seat.computer)
    names = [seat.name for seat in players]
    for same in (name for name in names if names.count(name) > 1):
        raise BadRecord("two players are called {same}", same=shown(same))


def read_header(lines: Lines) -> Header:
    """Read a header, with its line `begin`. Raises BadRecord, which names the faulty line."""
    data = lines.next()
    _check_first(data)
    try:
        return _read(lines, data)
    except BadRecord as error:
        raise BadRecord("line {line}: {problem}", line=lines.number, problem=error) from None


def _read(lines: Lines, data: bytes) -> Header:
    fields: dict[str, str] = {}
    players: list[Seat] = []
    dice = Source()
    last = "shutbox"
    while True:
        line = lines.next()
        wanted = _AFTER[last]
        if not line:
            raise BadRecord("the record ends before the line {words}", words=listed(wanted, "or"))
        if not line.endswith(b"\n") and line != f"begin #{code_of(data)}".encode():
            raise BadRecord("the record is cut off in this line")
        last, _, text = text_of(line).partition(" ")
        if last not in wanted:
            facts = {"word": shown(last), "words": listed(wanted, "or")}
            raise BadRecord("{word} stands where {words} is wanted", **facts)
        if last == "begin":
            break
        match last:
            case "player":
                players.append(_read_seat(text))
                _check_players(players)  # at once, so that the refusal names this line
            case "dice":
                dice = read_source(text)
            case _:
                if last == "begun":
                    _check_begun(text)
                fields[last] = one_line_text(gettext("what follows {word}", word=last), text)
        data += line
    if text != f"#{code_of(data)}":
        facts = {"code": shown(text), "right": code_of(data)}
        raise BadRecord(
            "a line of the header was changed: its check code is {code}, and that of the lines "
            "above is #{right}",
            **facts,
        )
    return Header(**fields, players=tuple(players), dice=dice)


def _check_first(line: bytes) -> None:
    """Raise BadRecord unless a line is the first of a record of this version."""
    if match := _FIRST.fullmatch(line):
        if int(match[1]) != VERSION:
            raise BadRecord(
                "this shutbox reads records of version {version} only; "
                "open this one with the shutbox that wrote it",
                version=VERSION,
            )
        return
    if not line:
        raise BadRecord("the file is empty")
    first = f"shutbox record {VERSION}"
    if first.encode().startswith(line):
        raise BadRecord("the record is cut off in its first line")
    if line.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BadRecord("the file begins with a byte order mark; a record has none")
    if line.startswith(b"shutbox record"):
        text_of(line)  # raises BadRecord with the reason if the line is not text
    raise BadRecord(
        "this file is not a shutbox record: its first line must be {first}", first=repr(first)
    )


def _read_seat(text: str) -> Seat:
    name, sign, player = text.partition("=")
    kind = player.removeprefix(f"{COMPUTER}:")
    if sign and (kind == player or not kind):
        facts = {"seat": name, "computer": COMPUTER, "given": shown(player)}
        raise BadRecord("after {seat}= comes {computer}:KIND, not {given}", **facts)
    return Seat(name, kind)
