"""Saved before acknowledged: the order of a game's system calls, traced with strace."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kill.calls import STDOUT, TRACED, faults
from kill.heard import heard
from shutbox import Over, Table, Throw
from shutbox.engine.cups import SeededCup
from shutbox.record.folder import Store
from shutbox.table.bots import bot
from shutbox.table.lookup import game_of, match_of
from system_calls import Moment, read_moments
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


def traced(folder: Path, trace: Path, program: list[str], lines: list[str]) -> list[Moment]:
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
    return list(read_moments(trace.read_text(encoding="utf-8").splitlines()))


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


def forced_before_the_first_word(calls: list[Moment], folder: Path) -> bool:
    """Whether a folder was forced to the disk before the first throw was said."""
    descriptors: set[int] = set()
    for call in calls:
        if call.result is None:
            continue
        if call.name == "openat":
            descriptors.discard(call.result)
            if call.path == str(folder):
                descriptors.add(call.result)
        elif call.name == "fsync" and call.descriptor in descriptors and call.result == 0:
            return True
        elif call.name == "write" and call.descriptor == STDOUT and b"threw" in call.data.lower():
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
        from shutbox.term.reporter import Reporter
        apply = Reporter.apply
        def early(self, prepared, **how):
            if prepared.offer is not None:
                self.console.say(f"{self.players[prepared.seat]}: {prepared.offer.done_by}")
            apply(self, prepared, **how)
        Reporter.apply = early
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
