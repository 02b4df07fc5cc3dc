"""The answers of practice, kept in a file."""

import errno
import os
from pathlib import Path

import pytest

from shutbox.engine.errors import InUse, NotKept
from shutbox.record import practice_log as log_module
from shutbox.record.practice_log import PracticeAnswer, PracticeLog

ONE = PracticeAnswer("classic", "1.3.4.9/1+3", "1 3", 2.25, hinted=False)
TWO = PracticeAnswer("cargo", "3/6+6+6+6+6+6", "accept", 0.0, hinted=True)


def write(folder: Path, *answers: PracticeAnswer) -> Path:
    with PracticeLog(folder) as log:
        for answer in answers:
            log.add(answer)
        return log.path


def kept(folder: Path) -> tuple[tuple[PracticeAnswer, ...], int]:
    with PracticeLog(folder) as log:
        return log.answers, log.damaged


def test_answers_are_kept_from_day_to_day(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    write(folder, ONE)
    write(folder, TWO, ONE)
    assert kept(folder) == ((ONE, TWO, ONE), 0)
    with PracticeLog(folder) as log:
        assert [*log.of("cargo")] == [TWO]


def test_a_torn_end_is_cut_off(tmp_path: Path) -> None:
    path = write(tmp_path, ONE, TWO)
    whole = path.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:end])
        assert kept(tmp_path) == ((ONE,), 0)
        write(tmp_path, TWO)
        assert path.read_bytes() == whole


ROW = b'{"game":"a","position":"b","choice":"c",%s}'
DAMAGED = (
    *(b"", b"\xff\0", b"[" * 100_000, b"7", b"{}"),
    *(
        ROW % (b'"cost":%s,"hinted":true' % cost)
        for cost in (b"-1", b"true", b'"1"', b"NaN", b"1e999")
    ),
    *(ROW % rest for rest in (b'"cost":1.0', b'"cost":1.0,"hinted":1')),
    *(ROW % (b'"cost":1.0,"hinted":true,"%s' % more) for more in (b'game":5', b'more":1')),
)


@pytest.mark.parametrize("damage", DAMAGED, ids=lambda damage: repr(damage)[:60])
def test_a_damaged_line_is_left_out_and_left_alone(damage: bytes, tmp_path: Path) -> None:
    path = write(tmp_path, ONE)
    before = path.read_bytes() + damage + b"\n"
    path.write_bytes(before)
    write(tmp_path, TWO)
    assert kept(tmp_path) == ((ONE, TWO), 1)
    assert path.read_bytes().startswith(before)


def test_of_a_very_long_file_the_end_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, ONE, ONE, TWO, ONE)
    size = path.stat().st_size
    monkeypatch.setattr(log_module, "LARGEST", size - 5)
    assert kept(tmp_path) == ((ONE, TWO, ONE), 0)
    write(tmp_path, TWO)
    assert path.stat().st_size > size


def test_what_cannot_be_written_is_refused_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fcntl")
    with PracticeLog(tmp_path), pytest.raises(InUse):
        PracticeLog(tmp_path)
    path = write(tmp_path, ONE)
    before = path.read_bytes()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with PracticeLog(tmp_path) as log, monkeypatch.context() as broken:
        broken.setattr(os, "write", full)
        with pytest.raises(NotKept, match="No space left on device"):
            log.add(TWO)
    assert path.read_bytes() == before
    for place in (path, tmp_path / "folder"):  # a file, and a folder in place of the file
        (tmp_path / "folder" / log_module.NAME).mkdir(parents=True, exist_ok=True)
        with pytest.raises(NotKept):
            PracticeLog(place)
