"""Saved before acknowledged: the order of a game's system calls, traced with strace."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kill.calls import STDOUT, TRACED, Call, faults, read_calls
from kill.heard import heard
from shutbox import Over, SeededCup, Table, Throw
from shutbox.record.folder import Store
from shutbox.table.bots import bot
from shutbox.table.lookup import game_of, match_of
from terminal.driver import PATIENCE, command, environment

SEED = "order"
MATCH = ("play", "pub", "--players", "Ann,computer,Bob", "--seed", SEED, "--throw", "ask")

strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not there to see the system calls of a game"
)


def script() -> tuple[list[str], list[list[str]]]:
    """What Ann and Bob type, and what is told of each event.

    They press Enter, and take the first choice there is; out of two they take the other back.
    """
    match = match_of("pub", ["Ann", "Computer", "Bob"])
    table = Table(match, SeededCup(SEED), bots={1: bot("fewest")})
    lines: list[str] = []
    while not isinstance(awaited := table.awaits, Over):
        if awaited.seat in table.bots and not isinstance(awaited, Throw):
            table.bot_chooses()
        elif isinstance(awaited, Throw):
            table.throw(seat=awaited.seat)
            lines += [""] * (awaited.seat not in table.bots)
        else:
            first, *others = table.scene.offers
            if len(others) == 1:
                table.choose(others[0].text, seat=awaited.seat)
                table.take_back(seat=awaited.seat)
                lines += [others[0].says, "u"]
            table.choose(first.text, seat=awaited.seat)
            lines.append(first.says)
    return lines, list(heard(match, table.log))


def traced(folder: Path, trace: Path, program: list[str], lines: list[str]) -> list[Call]:
    """Run a program on these typed lines, under strace; its calls."""
    done = subprocess.run(
        ["strace", "-f", "-s", "100000", "-e", f"trace={','.join(TRACED)}", "-o", trace, *program],
        input="".join(f"{line}\n" for line in lines).encode(),
        capture_output=True,
        env=environment({"SHUTBOX_DATA": str(folder)}),
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return list(read_calls(trace.read_text(encoding="utf-8")))


def told(folder: Path, since: int = 0) -> list[list[str]]:
    """What is to be heard of each event of the record behind a number."""
    reading = Store(folder).read(1, game_of)
    assert reading.fault is None
    return list(heard(reading.game, reading.play.log, since))


@strace
def test_every_event_is_on_the_disk_before_it_is_said(data_folder: Path, tmp_path: Path) -> None:
    folder = data_folder / "new" / "folder"
    lines, said = script()
    calls = traced(folder, tmp_path / "trace", command(*MATCH), lines)
    assert len(said) > 40
    assert told(folder) == said
    assert faults(calls, folder / "1.shutbox", said) == []
    for place, name in ((data_folder, "new"), (folder.parent, "folder")):
        assert forced_before_the_first_word(calls, place), f"the name of {name} is not on the disk"


def forced_before_the_first_word(calls: list[Call], folder: Path) -> bool:
    """Whether a folder was forced to the disk before the first throw was said."""
    descriptors: set[int] = set()
    for call in calls:
        if call.name == "openat":
            descriptors.discard(call.result)
            if call.texts[0] == os.fsencode(folder):
                descriptors.add(call.result)
        elif call.name == "fsync" and call.descriptor in descriptors and call.result == 0:
            return True
        elif (
            call.name == "write" and call.descriptor == STDOUT and b"threw" in call.texts[0].lower()
        ):
            return False
    return False


@strace
def test_a_game_that_is_resumed_keeps_the_same_order(data_folder: Path, tmp_path: Path) -> None:
    lines, said = script()
    before = traced(data_folder, tmp_path / "before", command(*MATCH), lines[:7])
    record = data_folder / "1.shutbox"
    first = told(data_folder)
    assert 5 < len(first) < len(said) - 30
    assert faults(before, record, first) == []
    with record.open("ab") as stream:
        stream.write(b"8 Ann: thr")  # which is cut off before anything is said
    resume = command("resume", "--throw", "ask")
    calls = traced(data_folder, tmp_path / "after", resume, lines[7:])
    assert any(call.name == "ftruncate" for call in calls)
    assert faults(calls, record, told(data_folder, len(first))) == []
    assert len(told(data_folder)) == len(said)


PLANTS = {
    "each event is written when the next one happens": (
        "was said before event 1 was kept",
        """
        from shutbox.record import Writer
        line, late = Writer.line, []
        def late_line(*arguments):
            late.append(line(*arguments))
            return late.pop(0) if len(late) > 1 else b""
        Writer.line = late_line
        """,
    ),
    "a choice is acknowledged before it is kept": (
        "was said before event 2 was kept",
        """
        from shutbox.term import Session
        act = Session._act
        def early(self, prepared):
            if prepared.offer is not None:
                self.console.say(f"{self.players[prepared.seat]}: {prepared.offer.done_by}")
            act(self, prepared)
        Session._act = early
        """,
    ),
    "nothing is forced to the disk": (
        "was said before what had been written was on the disk",
        """
        import os
        os.fsync = lambda descriptor: None
        """,
    ),
    "the folder is not forced to the disk": (
        "was said before the name of the record was on the disk",
        """
        import shutbox.record.durable_file
        shutbox.record.durable_file.sync_folder = lambda folder: None
        """,
    ),
    "the file is forced to the disk before it is written": (
        "was said before what had been written was on the disk",
        """
        import os
        fsync, write = os.fsync, os.write
        def early(descriptor, text):
            fsync(descriptor)
            return write(descriptor, text)
        os.write, os.fsync = early, lambda descriptor: None
        """,
    ),
}
"""Bugs that a checker of the order must find: what it says, and the code that plants them."""


@strace
@pytest.mark.parametrize(("says", "code"), PLANTS.values(), ids=PLANTS)
def test_a_planted_early_acknowledgement_is_found(
    says: str, code: str, data_folder: Path, tmp_path: Path
) -> None:
    lines, said = script()
    path = tmp_path / "planted.py"
    planted = "\n".join(line.removeprefix(" " * 8) for line in code.splitlines())
    run = "import sys\nfrom shutbox.cli.main import main\nsys.exit(main())\n"
    path.write_text(f"{planted}\n{run}", encoding="utf-8")
    program = [sys.executable, str(path), *MATCH]
    calls = traced(data_folder, tmp_path / "trace", program, lines)
    found = faults(calls, data_folder / "1.shutbox", said)
    assert any(says in fault for fault in found), found[:3]


RECORD = Path("/records/1.shutbox")
TOLD = [["Threw 3."], ["3 goes down.", "The box is shut."]]
LINES = (b"header\n1 Ann: throws 3 #00000000\n", b"2 Ann: chooses 3 #00000000\n")
CREATED = Call(
    "openat", 'AT_FDCWD, "/records/1.shutbox", O_RDWR|O_CREAT|O_EXCL', 3, (bytes(RECORD),)
)
FOLDER = Call("openat", 'AT_FDCWD, "/records", O_RDONLY', 4, (b"/records",))


def write(descriptor: int, text: bytes, result: int | None = None, name: str = "write") -> Call:
    return Call(name, f"{descriptor}, ...", len(text) if result is None else result, (text,))


def sync(descriptor: int, result: int = 0, name: str = "fsync") -> Call:
    return Call(name, str(descriptor), result)


BEGUN = [CREATED, write(3, LINES[0]), sync(3), FOLDER, sync(4), Call("close", "4", 0)]
GOOD = [*BEGUN, write(1, b"Threw 3.\n"), write(1, b"Which? "), write(1, b"3\n")]
GOOD += [write(3, LINES[1]), sync(3), write(1, b"3 goes down.\nThe box is shut.\n")]
EARLY = "was said before event"
UNSYNCED = "before what had been written"
UNNAMED = "before the name of the record"


def test_the_checker_finds_nothing_in_a_good_order() -> None:
    assert faults(GOOD, RECORD, TOLD) == []
    halves = [write(3, LINES[1], 5), write(3, LINES[1][5:])]
    assert faults([*GOOD[:9], *halves, *GOOD[10:]], RECORD, TOLD) == []
    copied = [Call("dup", "3", 5), write(5, LINES[1]), sync(5, name="fdatasync")]
    assert faults([*GOOD[:9], *copied, GOOD[11]], RECORD, TOLD) == []


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        ([*BEGUN, *GOOD[6:9], GOOD[11], *GOOD[9:11]], EARLY),
        ([GOOD[6], *BEGUN, *GOOD[7:]], EARLY),
        ([*GOOD[:9], write(1, b"3 goes "), write(1, b"down.\n"), *GOOD[9:]], EARLY),
        ([*GOOD[:10], GOOD[11], GOOD[10]], UNSYNCED),
        ([*GOOD[:9], GOOD[10], GOOD[9], GOOD[11]], UNSYNCED),
        ([*GOOD[:10], sync(3, -1), GOOD[11]], UNSYNCED),
        ([*GOOD[:10], sync(4), GOOD[11]], UNSYNCED),
        ([*GOOD[:10], GOOD[10], Call("ftruncate", "3, 40", 0), GOOD[11]], UNSYNCED),
        ([*BEGUN[:3], *GOOD[6:]], UNNAMED),
        ([*BEGUN[:4], sync(4, -1), *GOOD[6:]], UNNAMED),
        ([*BEGUN[:4], Call("close", "4", 0), sync(4), *GOOD[6:]], UNNAMED),
        ([*GOOD[:9], write(3, LINES[1], -1), *GOOD[10:]], EARLY),
        ([*GOOD[:9], write(3, LINES[1], 5), *GOOD[10:]], EARLY),
        ([*GOOD[:9], write(2, LINES[1]), *GOOD[10:]], EARLY),
        ([*GOOD[:9], Call("dup", "1", 7), write(7, b"3 goes down.\n"), *GOOD[9:]], EARLY),
        ([*GOOD[:9], write(1, b"3 goes down.\n", name="writev"), *GOOD[9:]], EARLY),
        (GOOD[:6], "was never said"),
        ([GOOD[6]], "no line was kept"),
    ],
)
def test_the_checker_finds_calls_in_a_wrong_order(calls: list[Call], says: str) -> None:
    found = faults(calls, RECORD, TOLD)
    assert any(says in fault for fault in found)


def test_a_trace_is_read_to_the_letter() -> None:
    trace = (
        '7 openat(AT_FDCWD, "/r/1.shutbox", O_RDWR|O_CREAT|O_EXCL|O_CLOEXEC, 0666) = 3\n'
        '7 write(3, "a\\303\\251 \\"b\\"\\\\\\n\\t", 9) = 9\n'
        "7 fcntl(3, F_GETFD)                 = 0x1 (flags FD_CLOEXEC)\n"
        "7 fsync(3)                          = -1 EIO (Input/output error)\n"
        "7 --- SIGCHLD {si_signo=SIGCHLD} ---\n"
        "7 +++ exited with 0 +++\n"
    )
    opened, written, asked, refused = read_calls(trace)
    assert (opened.name, opened.result, opened.texts) == ("openat", 3, (b"/r/1.shutbox",))
    assert (written.descriptor, written.texts) == (3, (b'a\xc3\xa9 "b"\\\n\t',))
    assert (asked.result, refused.descriptor, refused.result) == (1, 3, -1)
    for line in ('7 write(1, "half"..., 9) = 9', "7 fsync(3 <unfinished ...>"):
        with pytest.raises(AssertionError):
            list(read_calls(line))
