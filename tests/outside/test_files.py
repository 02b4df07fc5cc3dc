"""Files and outputs as shells, editors, disks and spreadsheets leave them."""

from io import StringIO
from pathlib import Path

import pytest

from shutbox.output.results import Column, write_csv
from terminal.pipe import in_shell

CELLS = {
    "@SUM(A1)": "'@SUM(A1)",
    "-Bob": "'-Bob",
    "+49 151": "'+49 151",
    "=1+1": "'=1+1",
    "\uff1dcmd()": "'\uff1dcmd()",
    "Ann;=1+1": "Ann;'=1+1",
    "./a\t=b": "./a\t'=b",
    "Ann-Bob": "Ann-Bob",
    "-5/36": "-5/36",
    "-0.25": "-0.25",
    "3+5": "3+5",
    "": "",
}
"""Texts that anybody could have written, and what a cell of a CSV file holds instead."""


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    faults = []
    for text, cell in CELLS.items():
        stream = StringIO()
        write_csv(stream, [Column("name")], [(text,)])
        written = stream.getvalue().removeprefix("name\n").rstrip("\n").strip('"')
        if written != cell:
            faults.append((text, written))
    assert not faults


OUTPUTS = ["--help", "--version", "help play", "rules cargo --json", "play classic", "play"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_an_output_that_cannot_be_written_is_refused_with_a_sentence() -> None:
    full, closed = "No space left on device", "it is closed"
    faults = []
    for arguments in OUTPUTS:
        for to, reason in ((">/dev/full", full), (">&-", closed), (">&- 2>&-", "")):
            for unbuffered in (None, "1"):
                line, changes = f"$SHUTBOX {arguments} {to}", {"PYTHONUNBUFFERED": unbuffered}
                ended = in_shell(line, typed=b"b\nb\n", changes=changes)
                says = f"shutbox: the output cannot be written: {reason}\n" if reason else ""
                if (ended.code, ended.refusal) != (1, says):
                    faults.append((arguments, to, unbuffered, ended))
    assert not faults


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_errors_that_cannot_be_written_change_no_exit_code_and_no_output() -> None:
    faults = []
    for arguments in ("play nothing", "legal x --json", "--nonsense", "export --all"):
        with_errors = in_shell(f"$SHUTBOX {arguments}")
        for to in ("2>&-", "2>/dev/full"):
            ended = in_shell(f"$SHUTBOX {arguments} {to}")
            if (ended.code, ended.out) != (with_errors.code, with_errors.out):
                faults.append((arguments, to, ended))
    assert not faults
