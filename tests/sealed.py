"""Sealed games for tests: played by chance, written as records, and checked by every verifier."""

import base64
import json
import random
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

import shutbox
from shutbox import Choose, Over, Table, Throw, catalogue
from shutbox.cli.show import problems_of
from shutbox.engine.cups import SealedCup
from shutbox.engine.errors import ShutboxError
from shutbox.engine.play import Event
from shutbox.engine.sealed_dice import (
    OpenEnvelope,
    Seal,
    envelope_words,
    fit_word,
    read_ticket,
    seal_of,
)
from shutbox.engine.seats import Seat
from shutbox.record import Header, Source, read, to_bytes
from shutbox.table.lookup import game_of

SCRIPT = Path(__file__).parents[1] / "src" / "shutbox" / "web" / "static" / "model"
FILE = Path(__file__).parents[1] / "docs" / "verify_dice.py"
verify_dice: Any = ModuleType("verify_dice")
exec(compile(FILE.read_text(encoding="utf-8"), FILE, "exec"), verify_dice.__dict__)
verify_dice.problems = lambda record, ticket=None: verify_dice.check(record, ticket)[1]
# As in the wheel:
verify_dice.__file__ = str(Path(shutbox.__file__).parent / "engine" / "verify_dice.py")
GAMES = Path(__file__).parent / "data" / "sealed_games.toml"
NODE = shutil.which("node")
BEGUN = "2026-11-25 12:00:00 UTC"
PROGRAM = "shutbox 0.1.0"


@dataclass(frozen=True)
class Spec:
    """A game to be played with sealed dice: what it is called, who plays, and their words."""

    about: str
    game: str = "classic"
    words: tuple[str | None, ...] = ("pub",)
    format: str = ""
    seats: tuple[str, ...] = ("Ann",)
    """Names, with =KIND for a computer player."""
    most: int = 400
    """The most events; a game that is not over then is given up."""
    sealed_to: int | None = None
    """The last event under the seal; None: all."""


@dataclass(frozen=True)
class Played:
    """A finished record, and all that went into it."""

    header: Header
    log: tuple[Event[Any], ...]
    envelope: OpenEnvelope
    throws: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """The sides and the unsorted faces of each throw."""
    record: str

    @property
    def seal(self) -> Seal:
        assert self.header.dice.seal is not None
        return self.header.dice.seal

    def ticket(self, seat: int = -1) -> str:
        """What the client of a seat has kept, by default of the last."""
        words = self.envelope.words
        return f"{self.seal.envelope.hex()} {range(len(words))[seat]} {json.dumps(words[seat])}"


def header_of(spec: Spec, seal: Seal | None) -> Header:
    """Return the header of a game, with this seal, or with dice of the system."""
    named = (text.partition("=") for text in spec.seats)
    return Header(
        program=PROGRAM,
        begun=BEGUN,
        game=spec.game,
        format=spec.format,
        players=tuple(Seat(name, kind) for name, _, kind in named),
        dice=Source() if seal is None else Source("sealed", seal=seal),
    )


def played(spec: Spec) -> Played:
    """Play a game by chance, the same one each time for one `about`."""
    of = {name: sha256(f"{name} {spec.about}".encode()).digest() for name in ("gid", "seed")}
    gid = of["gid"][:16]
    words = tuple(None if word is None else fit_word(word) for word in spec.words)
    envelope = OpenEnvelope(of["seed"], words)
    return play(spec, seal_of(gid, envelope, spec.game, spec.format), envelope)


def play(
    spec: Spec,
    seal: Seal,
    opened: OpenEnvelope,
    cup: Callable[[bytes, bytes, bytes], Any] = SealedCup,
) -> Played:
    """Play a game under any seal, with a cup made of gid, seed and W, and open any envelope."""
    header = header_of(spec, seal)
    game = game_of(header)
    chance = random.Random(spec.about)
    table = Table(game, cup(seal.gid, opened.seed, opened.words_digest))
    throws = list[tuple[tuple[int, ...], tuple[int, ...]]]()
    while table.version < spec.most and not isinstance(table.awaits, Over):
        match table.awaits:
            case Throw(dice=dice, seat=seat):
                right = SealedCup(seal.gid, opened.seed, opened.words_digest, thrown=len(throws))
                throws.append((dice.sides, right.faces(dice)))
                table.throw(seat=seat)
            case Choose():
                # In a tray most choices change the dice; throwing again is what matters here.
                offers = table.scene.offers
                again = [one for one in offers if one.text == "throw" and chance.random() < 0.8]
                table.choose(chance.choice(again or offers).text, seat=table.due or 0)
    record = to_bytes(header, game, table.log, opened, spec.sealed_to).decode()
    return Played(header, table.log, opened, tuple(throws), record)


def specs() -> list[Spec]:
    """Return the games of the vectors."""
    lows = (2, 22, 42, 62, 81)
    trays = ["+".join(f"1d{sides}" for sides in range(low, low + 20)) for low in lows]
    rows = tomllib.loads(GAMES.read_text(encoding="utf-8"))["game"]
    for row in rows:
        row["words"] = tuple(None if word is False else word for word in row.get("words", ["pub"]))
        row["seats"] = tuple(row.get("seats", ["Ann"]))
    return [
        *(Spec(f"every die {n}", f"tray(dice={d})", most=40) for n, d in enumerate(trays, start=1)),
        *(Spec(f"the game {entry.name}", entry.name, most=120) for entry in catalogue()),
        *(Spec(**row) for row in rows),
    ]


def vector(spec: Spec) -> dict[str, Any]:
    """Return a vector as it is written in `tests/data/dice`."""
    one = played(spec)
    return {
        "about": spec.about,
        "gid": one.seal.gid.hex(),
        "seed": one.envelope.seed.hex(),
        "words": list(spec.words),
        "game": spec.game,
        "format": spec.format,
        "envelope": one.seal.envelope.hex(),
        "hash of words": one.envelope.words_digest.hex(),
        "seal": one.seal.digest.hex(),
        "envelope in words": " ".join(envelope_words(one.seal.envelope)),
        "throws": [[list(sides), list(faces)] for sides, faces in one.throws],
        "record": one.record.split("\n")[:-1],
    }


Asked = tuple[str, str | None]
"""A record, and the ticket that somebody has kept, or None."""
Verifier = Callable[[Iterable[Asked]], list[list[str]]]


def by_package(asked: Iterable[Asked]) -> list[list[str]]:
    """Return what `shutbox check` finds wrong in each record."""
    return [_by_package(*one) for one in asked]


def _by_package(record: str, kept: str | None) -> list[str]:
    try:
        reading = read(BytesIO(record.encode()), game_of)
        return [*problems_of(reading, None if kept is None else read_ticket(kept))]
    except ShutboxError as error:
        return [str(error)]


def by_file(asked: Iterable[Asked]) -> list[list[str]]:
    """Return what `verify_dice.py` finds wrong in each record."""
    return [verify_dice.problems(*one) for one in asked]


def by_script(asked: Iterable[Asked]) -> list[list[str]]:
    """Return what the script of the pages finds wrong in each record."""
    return [found["problems"] for found in script([asked_of(*one) for one in asked])]


def asked_of(record: str, kept: str | None) -> list[Any]:
    """Return the arguments of the script for a record and a ticket that begins with 64 digits."""
    own = re.fullmatch(r'.* ([0-9]+) (".*")', kept or "")
    word = {"seat": int(own[1]), "word": json.loads(own[2]), "isGiven": True} if own else None
    return [record, kept and kept[:64], word]


def script(calls: Sequence[Any], call: str = "checkDice(...one)") -> list[Any]:
    """Return what the script's module returns for each of `calls`; `one` is the call in it."""
    assert NODE
    source = (SCRIPT / "sealed_dice.js").read_text(encoding="utf-8")
    code = f"""
import {{ readFileSync }} from "node:fs";
const url = (text) => `data:text/javascript;base64,${{Buffer.from(text).toString("base64")}}`;
const messages = url(readFileSync({json.dumps(str(SCRIPT / "messages.js"))}, "utf8"));
const source = {json.dumps(source)};
const module = await import(url(source.replace("./messages.js", messages)));
const {{ checkDice, wordsOf }} = module;
const found = [];
for (const one of JSON.parse(readFileSync(0, "utf8"))) found.push(await ({call}));
console.log(JSON.stringify(found));
"""
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", code],
        input=json.dumps(calls),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not done.stderr, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def sealed_again(record: str) -> str:
    """Return a record with the check codes of its lines computed again, as any forger can."""
    head, begin, rest = record.partition("begin #")
    assert begin
    code = f"{crc32(head.encode()):08x}"
    lines = [line.rpartition(" #")[0] for line in rest.split("\n")[1:] if line]
    coded = (f"{line} #{crc32(f'{code} {line}'.encode()):08x}\n" for line in lines)
    return f"{head}begin #{code}\n{''.join(coded)}"


def spellings(seed: bytes) -> Iterator[bytes]:
    """The ways in which a seed could be written."""
    yield seed
    yield seed.hex().encode()
    yield seed.hex().upper().encode()
    yield repr(seed).encode()[2:-1]
    yield str(list(seed)).encode()[1:-1]
    yield str(int.from_bytes(seed, "big")).encode()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for shift in range(3):  # as part of something longer
            yield encode(bytes(shift) + seed)[4:-4]
