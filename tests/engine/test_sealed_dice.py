"""Sealed dice: vectors that three verifiers share, planted mistakes of others, and the forger."""

import json
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import shutbox
from listing import assert_none
from sealed import (
    FILE,
    NODE,
    Played,
    Spec,
    Verifier,
    asked_of,
    by_file,
    by_package,
    by_script,
    play,
    played,
    script,
    sealed_again,
    specs,
    vector,
    verify_dice,
)
from shutbox import Roll, Table, find
from shutbox.cli.main import main
from shutbox.engine.cups import SealedCup, fresh_dice
from shutbox.engine.dice import Dice
from shutbox.engine.errors import CannotTakeBack, NotUnderstood
from shutbox.engine.sealed_dice import (
    OpenEnvelope,
    envelope_of,
    envelope_words,
    fit_word,
    read_ticket,
    seal_of,
    tagged,
    throw_bytes,
    word_list,
)
from shutbox.engine.seats import Seat
from shutbox.record import Source, read, to_bytes
from shutbox.record.header import KINDS
from shutbox.table.lookup import game_of

DATA = Path(__file__).parents[1] / "data" / "dice"
VECTORS: list[dict[str, Any]] = [json.loads(path.read_text()) for path in sorted(DATA.glob("*"))]
EDITS: list[dict[str, Any]] = tomllib.loads(
    (DATA.parent / "forgeries.toml").read_text(encoding="utf-8")
)["edit"]
LIST = Path(shutbox.__file__).parent / "engine" / "dice_words.txt"
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
VERIFIERS = [
    pytest.param(by_package, id="package"),
    pytest.param(by_file, id="file"),
    pytest.param(by_script, id="script", marks=needs_node),
]
TWO = Spec("two clients at one box", "six", ("mine", "yours"), "rounds=2", ("Ann", "Bob"))
ROBO = Spec("a computer and a client", "six", (None, "yours"), "rounds=2", ("Robo=most", "Bob"))
BOX = Spec("a box of two dice", "classic", ("mine", "yours"), "rounds=2", ("Ann", "Bob"))
OTHER_ENVELOPE = "The envelope is not the one that you kept."
TRAY = Spec("a tray of two dice", "tray(dice=2d6)", ("mine",), most=10)


def text(one: dict[str, Any]) -> str:
    return "\n".join(one["record"]) + "\n"


# The vectors.


def test_the_vectors_are_as_they_are_written(golden: bool) -> None:
    if golden:
        for path in DATA.glob("*.json"):
            path.unlink()
        DATA.mkdir(exist_ok=True)
        for number, spec in enumerate(specs(), start=1):
            name = "-".join(re.findall(r"[\w]+", spec.about.lower()))
            value = json.dumps(vector(spec), indent=1)
            # A list of numbers stands in one line.
            value = re.sub(r"\[[\s\d,]*\]", lambda found: " ".join(found[0].split()), value)
            (DATA / f"{number:02}-{name}.json").write_text(f"{value}\n")
        return
    assert len(VECTORS) > 41
    assert [one["about"] for one in VECTORS] == [spec.about for spec in specs()]
    sides = {side for one in VECTORS for throw, _ in one["throws"] for side in throw}
    assert sides == {*range(2, 101)}
    assert {len(throw) for one in VECTORS for throw, _ in one["throws"]} >= {1, 2, 3, 5, 20}
    assert max(len(one["throws"]) for one in VECTORS) > 300


@pytest.mark.parametrize("one", VECTORS, ids=lambda one: one["about"])
def test_the_core_agrees_with_a_vector(one: dict[str, Any]) -> None:
    gid, seed = bytes.fromhex(one["gid"]), bytes.fromhex(one["seed"])
    words = tuple(None if word is None else fit_word(word) for word in one["words"])
    envelope = OpenEnvelope(seed, words)
    seal = seal_of(gid, envelope, one["game"], one["format"])
    assert envelope.words_digest.hex() == one["hash of words"]
    assert (seal.envelope.hex(), seal.digest.hex()) == (one["envelope"], one["seal"])
    assert " ".join(envelope_words(seal.envelope)) == one["envelope in words"]
    cup = SealedCup(gid, seed, envelope.words_digest)
    for sides, faces in one["throws"]:
        assert list(cup.faces(Dice(tuple(sides)))) == faces
    data = text(one).encode()
    reading = read(BytesIO(data), game_of)
    assert (reading.fault, reading.torn, reading.opening) == (None, False, envelope)
    whole = reading.header, reading.game, reading.play.log, reading.opening, reading.last_sealed
    assert to_bytes(*whole) == data


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_a_verifier_agrees_with_every_vector(verifier: Verifier) -> None:
    records = [text(one) for one in VECTORS]
    kept = [one["envelope"] for one in VECTORS]
    assert verifier(zip(records, kept, strict=True)) == [[]] * len(VECTORS)
    assert verifier((record, None) for record in records[5:15]) == [[]] * 10
    assert all(verifier(zip(records[5:15], kept[6:16], strict=True)))


def test_the_list_of_words_is_the_one_that_is_named() -> None:
    words = word_list()
    data = LIST.read_bytes()
    assert data == ("\n".join(words) + "\n").encode()
    right = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    assert sha256(data).hexdigest() == right
    assert len(words) == len({word[:4] for word in words}) == 2048
    assert list(words) == sorted(words)
    assert all(re.fullmatch("[a-z]{3,8}", word) for word in words)


# What enters a throw, and what does not.


def test_one_die_or_two_changes_no_other_throw() -> None:
    two = Dice.parse("2d6")
    for number in range(40):
        cup, other = (SealedCup(bytes(16), bytes(32), bytes(32)) for _ in range(2))
        first = [cup.faces(Dice.parse("1d6") if k == number else two) for k in range(40)]
        thrown = [other.faces(two) for _ in range(40)]
        thrown[number] = thrown[number][:1]
        assert first == thrown


def test_neither_a_name_nor_the_time_enters_a_throw() -> None:
    of = played(TWO)
    for old, new in (("Ann", "Id 15"), ("2026-11-25 12", "2026-11-26 23")):
        other = sealed_again(of.record.replace(old, new))
        assert other != of.record
        assert by_file([(other, of.seal.envelope.hex())]) == [[]]


def test_fresh_dice_are_fresh_and_have_one_word() -> None:
    seats = (Seat("Robo", "most"), Seat("Ann"), Seat("Bob"))
    (gid, one), (other_gid, other) = fresh_dice(seats), fresh_dice(seats)
    assert gid != other_gid
    assert one.seed != other.seed
    assert one.words[::2] == (None, None)
    assert re.fullmatch("[0-9a-f]{32}", one.words[1] or "")
    assert one.words != other.words
    assert fresh_dice((Seat("Robo", "most"),))[1].words == (None,)


@pytest.mark.parametrize("word", ["x" * 65, "a\nb", "a\u202eb", "\ud800"])
def test_a_word_that_cannot_be_one_is_refused(word: str) -> None:
    with pytest.raises(NotUnderstood, match=r"at most 64|no control"):
        fit_word(word)


# Mistakes that others made and what a dishonest server does, each as the record that comes of it.


class HalfOpenCup(SealedCup):
    """A cup with a half-open range: no die shows its highest face."""

    def throw(self, dice: Dice) -> Roll:
        self.thrown += 1
        found = throw_bytes(self.gid, self.seed, self.words, self.thrown)
        return dice.read([1 + byte % (n - 1) for byte, n in zip(found, dice.sides, strict=False)])


def with_id(gid: bytes, seed: bytes, words: bytes) -> SealedCup:
    """A cup whose seed has an id that the client chose."""
    return SealedCup(gid, sha256(seed + b"Ann").digest(), words)


def remade(of: Played, spec: Spec = TWO, *, is_sealed: bool = False, **opened: Any) -> str:
    """Play a game again with another content of its envelope, but the old seal if `is_sealed`."""
    envelope = replace(of.envelope, **opened)
    seal = seal_of(of.seal.gid, envelope, of.header.game, of.header.format)
    return play(spec, of.seal if is_sealed else seal, envelope).record


def short_seed(of: Played, digits: str) -> str:
    """A seed that can be guessed, in an envelope of its own."""
    envelope = envelope_of(of.seal.gid, bytes.fromhex(digits))
    whole = tagged(
        "seal", of.seal.gid, envelope, of.envelope.words_digest, b"six", b"rounds=2", b"\0\0\0\2"
    )
    forged = of.record.replace(of.envelope.seed.hex(), digits)
    forged = forged.replace(of.seal.envelope.hex(), envelope.hex())
    return forged.replace(of.seal.digest.hex(), whole.hex())


def word_left_out_of_the_seal(of: Played) -> str:
    less = replace(of.envelope, words=("mine", None))
    seal = seal_of(of.seal.gid, less, of.header.game, of.header.format)
    return play(TWO, seal, of.envelope).record


def edited_log(of: Played) -> str:
    old = [line for line in of.record.splitlines() if ": throws" in line][1]
    pips = old.split()[3]
    ones, sixes = (re.sub(r"\d", face, pips) for face in "16")
    return of.record.replace(old, old.replace(pips, sixes if pips == ones else ones))


def throws_again(of: Played, *, before: int) -> str:
    """A finished game goes on: a throw comes again at its end, or one line before that."""
    lines = of.record.splitlines(keepends=True)
    lines.insert(len(lines) - before, [line for line in lines if ": throws" in line][-1])
    return "".join(lines)


def reseeded(of: Played) -> str:
    """Play a game with another seed, whose envelope begins with the same word."""
    first = envelope_words(of.seal.envelope)[0]
    for number in range(10**5):
        seed = number.to_bytes(32, "big")
        if envelope_words(envelope_of(of.seal.gid, seed))[0] == first:
            return remade(of, seed=seed)
    raise AssertionError("no such seed")


def forged() -> dict[str, tuple[str, bool]]:
    """The table of forgeries: records, and whether they are caught by a verifier without a ticket.

    Mistakes that others made, what a dishonest server does, and each spelling that the grammar of
    records does not have. Two mistakes cannot be written down in this scheme: it has no beacon, so
    no round is derived from the reader's clock, and no chain is retired. A seed of 32 bytes that
    was made of eight digits looks like any other; that one can be foreseen is what level L1 does
    not promise.
    """
    of, robo, box = played(TWO), played(ROBO), played(BOX)
    record, seed, seal = of.record, of.envelope.seed.hex(), of.seal

    def first_throw(dice: str, named: str = "") -> str:
        """Return the record of the box, whose first throw is of other dice and follows."""
        cup = SealedCup(box.seal.gid, box.envelope.seed, box.envelope.words_digest)
        roll = cup.throw(Dice.parse(dice))
        return re.sub("throws [0-9+]+", f"throws {roll}{named}", box.record, count=1)

    first = re.search(": throws ([0-9])", record)
    assert first
    caught = {
        "the seed is swapped after the words": remade(of, is_sealed=True, seed=bytes(32)),
        "no die shows a six": play(TWO, seal, of.envelope, HalfOpenCup).record,
        "an id of the client enters the seed": play(TWO, seal, of.envelope, with_id).record,
        "a seed of 16 bytes": short_seed(of, "0f" * 16),
        "a seed of eight digits": short_seed(of, "20261125"),
        "the number of the room as seed": short_seed(of, "000007"),
        "a word is left out of the seal": word_left_out_of_the_seal(of),
        "the seal is of another game": play(
            TWO, seal_of(seal.gid, of.envelope, "six", "rounds=3"), of.envelope
        ).record,
        "the log is not bound": edited_log(of),
        "a finished game goes on": throws_again(of, before=0),
        "an opened game goes on": throws_again(of, before=1),
        "a computer has a word": remade(robo, ROBO, words=("chosen last", "yours")),
        "two kinds of dice that the game has not": first_throw("1d37+1d99", " of 1d37+1d99"),
        "two dice of another game": first_throw("2d8", " of 2d8"),
        "one die for two": first_throw("1d6"),
        "three dice for two": first_throw("3d6"),
        "two plain dice are named": first_throw("2d6", " of 2d6"),
        "the seed in capitals": record.replace(seed, seed.upper()),
        "the number of the game in capitals": record.replace(
            seal.gid.hex(), seal.gid.hex().upper()
        ),
        "an escape in capitals": remade(of, words=("caf\xe9", "yours")).replace("00e9", "00E9"),
        "a word in another normal form": remade(of, words=("cafe\u0301", "yours")),
        "a word of 65 characters": remade(of, words=("x" * 65, "yours")),
        "a word with a direction": remade(of, words=("a\u202eb", "yours")),
        "a word with a control": remade(of, words=("a\x7fb", "yours")),
    }  # fmt: skip
    for edit in EDITS:
        count = 0 if edit.get("everywhere") else 1
        changed, _ = re.subn(edit["old"], edit["new"], record, count=count, flags=re.MULTILINE)
        assert changed != record, edit["about"]
        caught[edit["about"]] = changed
    kept = {
        "a word is left out": remade(of, words=("mine", None)),
        "a word is chosen for its throws": remade(of, words=("mine", "chosen last")),
        "the envelope is made after the words, or another client saw another": remade(
            of, seed=bytes(32)
        ),
        "a seed whose envelope has the same first word": reseeded(of),
    }
    table = {name: (sealed_again(record), True) for name, record in caught.items()}
    table |= {name: (record, False) for name, record in kept.items()}
    damaged = record.replace(f"throws {first[1]}", f"throws {7 - int(first[1])}", 1)
    return table | {"a line was changed": (damaged, True), "no record": ("shutbox", True)}


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_all_verifiers_agree_on_every_forgery(verifier: Verifier) -> None:
    table = forged()
    right = [
        (played(of).record, kept) for of in (TWO, ROBO, BOX) for kept in (None, played(of).ticket())
    ]
    assert verifier(right) == [[]] * 6
    specs = (ROBO if "computer" in name else BOX if "two" in name else TWO for name in table)
    kept = (played(spec).ticket() for spec in specs)
    asked = [(record, one) for (record, _), one in zip(table.values(), kept, strict=True)]
    found = verifier(asked)
    assert_none(name for name, wrong in zip(table, found, strict=True) if not wrong)
    # Without a ticket, only what holds together passes.
    found = verifier((record, None) for record, _ in table.values())
    told = zip(table.items(), found, strict=True)
    assert_none(f"{name}: {wrong}" for (name, (_, caught)), wrong in told if caught != bool(wrong))


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_all_verifiers_read_every_kind_of_dice(verifier: Verifier) -> None:
    seeds, days = {"seed": "pub"}, dict.fromkeys(("day", "date"), "2026-11-23")
    sources = [Source(kind, seeds.get(kind, ""), days.get(kind, "")) for kind in KINDS]
    records = [bytes(replace(played(TWO).header, dice=source)).decode() for source in sources]
    assert verifier((record, None) for record in records) == [[]] * len(KINDS)


def test_a_ticket_is_the_envelope_and_a_word() -> None:
    of = played(TRAY)
    words, digits = envelope_words(of.seal.envelope), of.seal.envelope.hex()
    for short in (" ".join(words[:11]), words[0], digits[:31], digits[:8], "", f"{digits} 0 mine"):
        with pytest.raises(NotUnderstood, match="is no ticket"):
            read_ticket(short)
        with pytest.raises(ValueError, match="a ticket begins with twelve words"):
            verify_dice.problems(of.record, short)
    numbered = ", ".join(f"{n} {word.upper()}" for n, word in enumerate(words, start=1))
    for kept in (" ".join(words), numbered, digits, digits[:32].upper()):
        for one in (kept, f'{kept} 0 "mine"'):
            assert by_package([(of.record, one)]) == by_file([(of.record, one)]) == [[]]
        for other in (f'{kept} 0 "yours"', f'{kept} 1 "mine"'):
            assert all(by_package([(of.record, other)]) + by_file([(of.record, other)]))
    for other in (" ".join(reversed(words)), digits[::-1]):
        assert all(by_package([(of.record, other)]) + by_file([(of.record, other)]))


# The adaptive forger.


def forgeries(of: Played, many: int) -> Iterator[str]:
    """Yield records with other dice, in which all is computed again that a forger can compute.

    No record is yielded whose dice happen to be all those of the true seed.
    """
    chance = random.Random(f"forger {of.record}")
    lines = of.record.partition("begin #")[2].split("\n")[1:-2]
    events = [line.rpartition(" #")[0].partition(" ")[2] for line in lines]
    seats = len(of.header.players)
    while many:
        gid = chance.choice([of.seal.gid] * 4 + [chance.randbytes(16)])
        seed = chance.choice([of.envelope.seed, chance.randbytes(32)])
        others = (None, "", "mine", "yours", chance.randbytes(4).hex())
        words = (of.envelope.words, tuple(chance.choice(others) for _ in range(seats)))
        envelope = OpenEnvelope(seed, chance.choice(words))
        game = chance.choice([(of.header.game, of.header.format)] * 3 + [("six", "rounds=4")])
        seal = seal_of(gid, envelope, *game)
        for kept in ("envelope", "digest"):
            if chance.random() < 0.5:
                seal = replace(seal, **{kept: getattr(of.seal, kept)})
        said = dice_of_forger(events, SealedCup(gid, seed, envelope.words_digest), chance)
        record = bytes(replace(of.header, dice=Source("sealed", seal=seal))).decode()
        for number, line in enumerate(said, start=1):
            record += f"{number} {line} #00000000\n"
        given = ((s, json.dumps(w)) for s, w in enumerate(envelope.words) if w is not None)
        sent = "".join(f" {seat} {word}" for seat, word in given)
        record += f"opening {seed.hex()}{sent} #00000000\n"
        if said != events and not is_true(of, forged := sealed_again(record)):
            yield forged
            many -= 1


def dice_of_forger(events: list[str], cup: SealedCup, chance: random.Random) -> list[str]:
    """Return the events with other dice, or with all those of the forger's own cup."""

    def put(place: int, pips: str) -> None:
        said[place] = f"{said[place].partition('throws ')[0]}throws {pips}"

    said = list(events)
    thrown = [place for place, line in enumerate(events) if ": throws" in line]
    one, other = chance.sample(thrown, 2)
    match chance.randrange(5):
        case 0:  # other pips
            put(one, f"{chance.randint(1, 6)}+{chance.randint(1, 6)}")
        case 1:  # another order
            said[one], said[other] = said[other], said[one]
        case 2:  # another number of dice, or other sides
            put(one, chance.choice(["1", "6", "1+2+3", "17 of 1d20"]))
        case 3:  # an event is left out, or comes twice
            said[one : one + 1] = [said[one]] * chance.choice([0, 2])
        case 4:
            for place in thrown:
                put(place, str(cup.throw(Dice.parse("2d6"))))
    return said


def is_true(of: Played, record: str) -> bool:
    """Whether all dice of a record are those of the true seed, be they more or fewer of them."""
    cup = SealedCup(of.seal.gid, of.envelope.seed, of.envelope.words_digest)
    for pips, dice in re.findall(r"throws ([0-9+]+)(?: of (\S+))?", record):
        number = len(pips.split("+"))
        if str(cup.throw(Dice.parse(dice or f"{number}d6"))) != pips:
            return False
    return True


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_none_of_many_forged_records_passes(
    verifier: Verifier, pytestconfig: pytest.Config
) -> None:
    wanted: int = pytestconfig.getoption("--forgeries")
    many = min(wanted, 10_000)
    for number in range(wanted // many):
        for spec in (TRAY, replace(TWO, most=14)):
            of = played(replace(spec, about=f"{spec.about}, {number}"))
            forged = [*forgeries(of, many // 2)]
            kept = [of.ticket(seat) for seat in range(len(of.envelope.words))]
            found = [verifier((record, one) for record in forged) for one in kept]
            assert_none(r for r, *wrong in zip(forged, *found, strict=True) if not any(wrong))


def test_the_forger_is_not_helpless() -> None:
    # Without the kept envelope, a forger who makes everything again passes.
    of = played(TRAY)
    assert sum(not wrong for wrong in by_file((one, None) for one in forgeries(of, 1000))) > 2


# The record.


def test_nothing_is_taken_back_once_the_envelope_is_open() -> None:
    table = Table(find("tray(dice=2d6)"), SealedCup(bytes(16), bytes(32), bytes(32)))
    table.throw()
    table.choose("throw")
    assert table.taker_back == 0
    table.dice_open = True
    assert table.taker_back is None
    with pytest.raises(CannotTakeBack, match="the envelope of the dice is open"):
        table.take_back()


# The commands and the docs.


def test_the_file_stands_alone_and_is_short(tmp_path: Path) -> None:
    source = FILE.read_text()
    assert len(source.splitlines()) <= 120
    page = (FILE.parent / "dice.md").read_text(encoding="utf-8")
    assert f"`{sha256(FILE.read_bytes()).hexdigest()}`" in page
    project = (FILE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    assert '"docs/verify_dice.py" = "shutbox/engine/verify_dice.py"' in project
    modules = re.findall(r"^(?:import|from) (\w+)", source, re.M)
    assert set(modules) <= {*sys.stdlib_module_names}
    path, record = tmp_path / "verify_dice.py", tmp_path / "game.shutbox"
    path.write_text(source)
    of = played(TRAY)
    record.write_text(of.record)

    def run(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-I", str(path), str(record), *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        return done.returncode, (done.stdout or done.stderr).splitlines()[-1]

    assert run("--ticket", played(TRAY).ticket()) == (0, "Nothing is wrong.")
    assert run("--ticket", "own found")[1].endswith("dice_words.txt'")  # that file is not there
    (tmp_path / "dice_words.txt").write_bytes(LIST.read_bytes())
    assert run("--ticket", "")[1].startswith("This cannot be checked: a ticket begins with twelve")
    assert run("--ticket")[0] == 1
    words = envelope_words(of.seal.envelope)
    assert run("--ticket", *words) == (0, "Nothing is wrong.")
    assert run("--ticket", *reversed(words)) == (1, OTHER_ENVELOPE)


LEVEL = "Sealed dice, level L1. A server without the help of a player chose no throw, if you kept"
ONLY = "The dice follow from this seed and these words."
FIXED = "The seed was fixed before you gave a word."
YOURS = "Your word is in these dice."


def told() -> dict[str, tuple[str, str | None, tuple[str, ...], str]]:
    """Records, the ticket kept of each, what all verifiers say of it, and what `check` finds wrong.

    What begins with a dash is not said.
    """
    of, late = played(TRAY), played(replace(TWO, words=("mine", None)))
    closed = of.record[: of.record.index("opening ")]
    plain = to_bytes(replace(of.header, dice=Source()), game_of(of.header), of.log).decode()
    to_four = played(replace(TRAY, sealed_to=4)).record
    throw, kept = "The dice of event 3 are not those of the seed.", of.seal.envelope.hex()
    return {
        "without a ticket": (of.record, None, (LEVEL, ONLY, f"-{FIXED}"), ""),
        "with the envelope": (of.record, kept, (LEVEL, ONLY, FIXED, f"-{YOURS}"), ""),
        "with the ticket": (of.record, played(TRAY).ticket(), (LEVEL, ONLY, FIXED, YOURS), ""),
        "with another envelope": (of.record, "0" * 64, (LEVEL, "-follow from"), OTHER_ENVELOPE),
        "edited": (sealed_again(edited_log(of)), None, (LEVEL, "-follow from"), throw),
        "closed": (closed, None, ("closed: check the throws after the game.",), ""),
        "torn": (closed[:-4], None, ("closed: check the throws after the game.",), ""),
        "cut": (to_four, None, ("Sealed to throw 2; later dice are not sealed.",), ""),
        "late word": (late.record, None, ("Without a word: Bob.",), ""),
        "unsealed": (plain, None, ("The dice are not sealed.",), ""),
        "claimed": (plain, "0" * 64, (), OTHER_ENVELOPE),
    }


def test_every_verifier_tells_level_assumption_and_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.shutbox"
    for name, (record, kept, says, wrong) in told().items():
        path.write_text(record)
        code = main(["check", str(path), *(["--ticket", kept] if kept else [])])
        by_check = capsys.readouterr()
        assert (code != 0, wrong in by_check.out + by_check.err) == (wrong != "", True), name
        notes, problems = verify_dice.check(record, kept)
        assert bool(problems) == (wrong != ""), name
        told_by = [by_check.out, " ".join(notes)]
        if NODE:
            [found] = script([asked_of(record, kept)])
            told_by.append(" ".join(found["says"]))
            assert len(found["problems"]) == (wrong != ""), name
            throws = [throw["follows"] for throw in found["throws"]]
            assert throws.count(False) == (name == "edited")
        for text in told_by:
            assert "fair" not in text
            for part in says:
                assert (part.removeprefix("-") in text) != part.startswith("-"), (name, text)


@needs_node
def test_a_word_that_came_too_late_is_no_fault() -> None:
    less = forged()["a word is left out"][0]
    own = {"seat": 1, "word": "yours"}
    late, lost = script([[less, None, own], [less, None, {**own, "isGiven": True}]])
    assert late["problems"] == []
    assert "Your word came too late for these dice." in late["says"]
    assert lost["problems"] == ["The word of this browser is not in these dice."]
