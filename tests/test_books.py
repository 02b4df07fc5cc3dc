"""Books of values: a valid book returns what was written, and an invalid one returns no value."""

import errno
import math
import os
import shutil
import struct
import subprocess
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutbox.solver import tablebase as books
from shutbox.solver.tablebase import Damaged, Tablebase, book_folder, read, write

SOURCES = str(Path(__file__).parents[1] / "src")
ANSWERS: dict[str, Any] = {"best": 0.1, "ways": [1, 2**70], "of": "=x"}
VALUES = [n / 7 for n in range(11)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 4 values: VALUES have three, the last of them not full."""
    monkeypatch.setattr(books, "BLOCK", 4)


def written(folder: Path, identity: str = "six, shut", values: list[float] | None = None) -> Path:
    """A book, and nothing else, in a folder."""
    assert write(identity, ANSWERS, array("d", VALUES if values is None else values), folder=folder)
    [path] = folder.iterdir()
    return path


def told(folder: Path, identity: str = "six, shut") -> tuple[Any, list[float | None]] | None:
    """All that a book says: None where there is none, None for each value that is damaged."""
    book = read(identity, folder=folder)
    if book is None:
        return None
    with book:
        found: list[float | None] = []
        for number in range(len(book)):
            try:
                found.append(book[number])
            except Damaged:
                found.append(None)
        return book.answers, found


def every(book: Tablebase) -> list[float]:
    return [book[number] for number in range(len(book))]


def never_wrong(folder: Path, data: bytes, path: Path) -> int:
    """How many values a file of these bytes gives, all of them and the answers right."""
    path.write_bytes(data)
    said = told(folder)
    if said is None:
        return 0
    path.write_bytes(data)
    answers, values = said
    assert answers == ANSWERS
    assert len(values) == len(VALUES)
    assert all(value in (None, right) for value, right in zip(values, VALUES, strict=True))
    with read("six, shut", folder=folder) or pytest.fail("it was there before") as book:
        if None in values:
            with pytest.raises(Damaged):
                book.values()
        else:
            assert book.values().tolist() == VALUES
    return len(VALUES) - values.count(None)


# What was written is read.

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**63 - 2, max_value=2**64 + 2)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@given(
    identity=st.text(st.characters()),  # the halves of surrogate pairs too
    answers=st.dictionaries(st.text(), anything),
    values=st.lists(st.floats()),
    block=st.integers(min_value=1, max_value=9),
)
def test_a_book_gives_back_what_was_written(
    identity: str,
    answers: dict[str, Any],
    values: list[float],
    block: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("books")
    data = array("d", values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(books, "BLOCK", block)
        assert write(identity, answers, data, folder=folder)
    with read(identity, folder=folder) or pytest.fail("it was written") as book:
        assert book
        assert book.identity == identity
        assert repr(book.answers) == repr(answers)  # 1 is not 1.0, and -0.0 is not 0.0
        assert len(book) == len(values)
        assert book.values().tobytes() == data.tobytes()  # to the bit, as for NaNs
        assert struct.pack(f"{len(values)}d", *every(book)) == data.tobytes()


def test_long_numbers(tmp_path: Path) -> None:
    """Python neither writes nor reads decimal numbers of more than 4,300 digits."""
    answers = {"ways": 36**2700, "less": -(36**2700), "list": [2**64, -(2**64), 2**64 - 1]}
    with pytest.raises(ValueError, match="4300"):
        write("six", {"ways": 36**2800}, array("d"), folder=tmp_path)
    assert write("six", answers, array("d"), folder=tmp_path)
    with read("six", folder=tmp_path) or pytest.fail("it was written") as book:
        assert book.answers == answers


def test_values_from_elsewhere(tmp_path: Path) -> None:
    lent = memoryview(bytearray(struct.pack("4d", 1, 2, 3, 4))).cast("d")
    assert write("six", {}, lent[1:3], folder=tmp_path)
    with read("six", folder=tmp_path) or pytest.fail("it was written") as book:
        assert every(book) == [2, 3]


@pytest.mark.parametrize(
    "values",
    [
        array("f", [1]),
        array("q", [1]),
        b"12345678",
        memoryview(array("d", [1, 2, 3, 4]))[::2],
        memoryview(array("d", [1, 2, 3, 4])).cast("B").cast("d", (2, 2)),
    ],
)
def test_other_values_are_refused(values: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="wanted float64"):
        write("six", {}, values, folder=tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("answer", [{1, 2}, b"x", 1j, [[object()]]])
def test_answers_that_no_file_can_hold_are_refused(answer: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="JSON"):
        write("six", {"a": [answer]}, array("d"), folder=tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("answer", [math.nan, math.inf, -math.inf])
def test_answers_that_are_no_numbers_are_refused(answer: float, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write("six", {"a": answer}, array("d"), folder=tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("number", [-1, -11, 11, 2**70])
def test_no_value_outside_the_book(number: int, tmp_path: Path) -> None:
    written(tmp_path)
    with read("six, shut", folder=tmp_path) or pytest.fail("it was written") as book:
        with pytest.raises(IndexError):
            book[number]
        assert every(book) == VALUES


def test_a_closed_book_gives_nothing_and_what_it_lent_stays(tmp_path: Path) -> None:
    written(tmp_path)
    with read("six, shut", folder=tmp_path) or pytest.fail("it was written") as book:
        lent = book.values()
    assert lent.readonly
    assert lent.tolist() == VALUES
    book.close()
    with pytest.raises(ValueError, match="released"):
        book[0]
    with pytest.raises(ValueError, match="released"):
        book.values()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are not listed")
def test_a_closed_book_holds_nothing(tmp_path: Path) -> None:
    path = written(tmp_path)
    open_files = len(os.listdir("/proc/self/fd"))

    def mapped() -> bool:
        return str(path) in Path("/proc/self/maps").read_text(encoding="utf-8")

    book = read("six, shut", folder=tmp_path) or pytest.fail("it was written")
    assert mapped()
    book.close()
    assert not mapped()
    book = read("six, shut", folder=tmp_path) or pytest.fail("it was written")
    lent = book.values()
    book.close()
    assert lent.tolist() == VALUES
    lent.release()
    del book, lent
    assert not mapped()
    path.write_bytes(path.read_bytes()[:-1])
    assert read("six, shut", folder=tmp_path) is None
    assert len(os.listdir("/proc/self/fd")) == open_files


def test_a_later_book_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    written(tmp_path)
    with read("six, shut", folder=tmp_path) or pytest.fail("it was written") as old:
        written(tmp_path, values=[1.0])
        if sys.platform != "win32":
            assert every(old) == VALUES
            assert told(tmp_path) == (ANSWERS, [1.0])


def test_only_what_is_read_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = array("d", range(2**20))
    assert write("many", {}, values, folder=tmp_path)
    looked_at = 0

    def counting(data: Any) -> int:
        nonlocal looked_at
        looked_at += memoryview(data).nbytes
        return crc32(data)

    monkeypatch.setattr("shutbox.solver.tablebase.crc32", counting)
    with read("many", folder=tmp_path) or pytest.fail("it was written") as book:
        assert looked_at < 2**23 // 1000
        looked_at = 0
        for _ in range(2):
            for number in (0, 1, books.BLOCK - 1, books.BLOCK, 2**20 - 1):
                assert book[number] == number
        assert looked_at == 3 * 8 * books.BLOCK
        assert book.values() == values
        assert book.values() == values
        assert looked_at == 2**23


# What is damaged is noticed.


def test_any_changed_byte_is_noticed(small: None, tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    assert never_wrong(tmp_path, data, path) == 11
    values_at = len(data) - 8 * len(VALUES)
    for place in range(len(data)):
        gone = 0 if place < values_at else 7 if place < values_at + 64 else 8
        for change in (1, 2, 4, 8, 16, 32, 64, 128, 255, 0x55, 0x20):
            worse = bytearray(data)
            worse[place] ^= change
            assert never_wrong(tmp_path, bytes(worse), path) == gone, (place, change)


def test_a_changed_byte_among_many_is_noticed(tmp_path: Path) -> None:
    values = array("d", range(20_000))
    path = written(tmp_path, values=values.tolist())
    data = path.read_bytes()
    for place in range(len(data) - 160_000, len(data), 7919):
        worse = bytearray(data)
        worse[place] ^= 1 << place % 8
        path.write_bytes(worse)
        number = (place - len(data) + 160_000) // 8
        book = read("six, shut", folder=tmp_path) or pytest.fail("its head is sound")
        with book:
            with pytest.raises(Damaged):
                book[number]
            with pytest.raises(Damaged):
                book[number]
            other = (number + books.BLOCK) % 20_000
            assert other // books.BLOCK != number // books.BLOCK
            assert book[other] == other
        assert not path.exists()


def test_any_truncation_is_noticed(small: None, tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    for end in range(len(data)):
        assert never_wrong(tmp_path, data[:end], path) == 0
        assert not path.exists()


def test_anything_missing_or_added_is_noticed(small: None, tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    for more in (b"\0", b"x", b"\0" * 8, b"\0" * 64, data):
        assert never_wrong(tmp_path, data + more, path) == 0
        assert never_wrong(tmp_path, more + data, path) == 0
    for place in range(len(data)):
        assert never_wrong(tmp_path, data[:place] + data[place + 1 :], path) == 0
        assert never_wrong(tmp_path, data[:place] + b"\0" + data[place:], path) == 0


def test_what_was_never_filled_in_is_noticed(small: None, tmp_path: Path) -> None:
    """After a power cut a file may have its length, and zeros for what did not reach the disk."""
    path = written(tmp_path)
    data = path.read_bytes()
    values_at = len(data) - 8 * len(VALUES)
    for end in range(len(data)):
        # The last byte is not zero, so that no block is right before all of it is there.
        right = never_wrong(tmp_path, data[:end] + bytes(len(data) - end), path)
        assert right == (0 if end < values_at else 4 * ((end - values_at) // 32))
    for end in range(1, len(data)):
        assert never_wrong(tmp_path, bytes(end) + data[end:], path) == 0


def test_blocks_in_another_order_are_noticed(small: None, tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    at = len(data) - 8 * len(VALUES)
    swapped = data[:at] + data[at + 32 : at + 64] + data[at : at + 32] + data[at + 64 :]
    assert never_wrong(tmp_path, swapped, path) == 3


def test_parts_of_two_books_of_one_size_are_noticed(small: None, tmp_path: Path) -> None:
    path = written(tmp_path, values=[number + 1 for number in VALUES])
    other = path.read_bytes()
    data = written(tmp_path).read_bytes()
    for place in range(64, len(data), 8):
        never_wrong(tmp_path, data[:place] + other[place:], path)
        if other[:place] != data[:place]:
            path.write_bytes(other[:place] + data[place:])
            said = told(tmp_path)
            if said is not None:  # a book of the other values, then
                pairs = zip(said[1], VALUES, strict=True)
                assert all(value in (None, right + 1) for value, right in pairs)


def test_sound_but_senseless_is_noticed(small: None, tmp_path: Path) -> None:
    """A head whose checksum fits, and which nobody wrote."""
    path = written(tmp_path)
    data = path.read_bytes()
    end = len(data) - 8 * len(VALUES)

    def forged(place: int, new: bytes) -> bytes:
        head = bytearray(data[:end])
        head[place : place + len(new)] = new
        head[12:16] = struct.pack("<I", crc32(head[16:]))
        return bytes(head) + data[end:]

    assert never_wrong(tmp_path, forged(0, b"s"), path) == 11
    assert never_wrong(tmp_path, forged(data.index(b"{"), b"["), path) == 0
    assert never_wrong(tmp_path, forged(24, bytes(4)), path) == 0  # no values in a block
    assert never_wrong(tmp_path, forged(16, b"\xff" * 8), path) == 0  # 2**64 - 1 values
    assert never_wrong(tmp_path, forged(28, b"\xff" * 4), path) == 0
    assert never_wrong(tmp_path, forged(32, b"\xff" * 8), path) == 0


def test_a_damaged_book_is_removed_and_made_anew(small: None, tmp_path: Path) -> None:
    path = written(tmp_path)
    for place in (0, 20, -1):
        worse = bytearray(path.read_bytes())
        worse[place] ^= 1
        path.write_bytes(worse)
        book = read("six, shut", folder=tmp_path)
        if book is not None:
            assert book[0] == VALUES[0]
            with pytest.raises(Damaged, match="block 2 of"):
                book[10]
            book.close()
        assert not path.exists()
        assert read("six, shut", folder=tmp_path) is None
        written(tmp_path)
        assert told(tmp_path) == (ANSWERS, VALUES)


def test_a_file_too_large_for_a_book_is_none(tmp_path: Path) -> None:
    path = written(tmp_path)
    os.truncate(path, books.LARGEST + 1)
    assert read("six, shut", folder=tmp_path) is None


# What belongs to others is not believed, and left alone.


@pytest.mark.parametrize("other", ["six, mean", "six, shu", "six, shut ", "", "Six, shut", "s\0"])
def test_a_book_of_another_identity_is_not_believed(other: str, tmp_path: Path) -> None:
    path = written(tmp_path)
    assert read(other, folder=tmp_path) is None
    data = path.read_bytes()
    assert write(other, {}, array("d"), folder=tmp_path)
    [renamed] = set(tmp_path.iterdir()) - {path}
    path.replace(renamed)
    assert read(other, folder=tmp_path) is None
    assert read("six, shut", folder=tmp_path) is None
    assert renamed.read_bytes() == data
    assert write(other, {}, array("d"), folder=tmp_path)
    assert told(tmp_path, other) == ({}, [])


def test_halves_of_surrogate_pairs_are_told_apart(tmp_path: Path) -> None:
    written(tmp_path, "\ud800")
    assert told(tmp_path, "\ud800") == (ANSWERS, VALUES)
    assert read("\ud801", folder=tmp_path) is None
    assert read("?", folder=tmp_path) is None


def test_two_identities_of_one_checksum(tmp_path: Path) -> None:
    one, two = "plumless", "buckeroo"
    path = written(tmp_path, one)
    assert write(two, {}, array("d"), folder=tmp_path)
    assert [path] == list(tmp_path.iterdir())
    assert read(one, folder=tmp_path) is None
    assert told(tmp_path, two) == ({}, [])


def test_a_book_of_another_version_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(books, "VERSION", 2)
    path = written(tmp_path)
    monkeypatch.undo()
    assert read("six, shut", folder=tmp_path) is None
    assert path.exists()
    written(tmp_path)
    assert told(tmp_path) == (ANSWERS, VALUES)


def test_a_name_is_part_of_where_it_is(tmp_path: Path) -> None:
    name = "../Ä:\\<The 300>*? " + "9" * 300
    assert write("x", {}, array("d"), name=name, folder=tmp_path)
    [path] = tmp_path.iterdir()
    assert path.name == "the-300-" + "9" * 31 + "-8cdc1683-1.book"
    assert read("x", folder=tmp_path) is None
    with read("x", name=name, folder=tmp_path) or pytest.fail("it was written") as book:
        assert book.identity == "x"
    assert write("x", {}, array("d"), name="con", folder=tmp_path)
    assert tmp_path.joinpath("con-8cdc1683-1.book").exists()


@pytest.mark.parametrize("make", [Path.mkdir, getattr(os, "mkfifo", Path.mkdir)])
def test_what_is_no_file_is_no_book(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = written(tmp_path)
    path.unlink()
    make(path)
    assert read("six, shut", folder=tmp_path) is None
    assert path.exists()


def test_on_a_system_of_the_other_byte_order_there_are_no_books(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    monkeypatch.setattr(sys, "byteorder", "big")
    assert read("six, shut", folder=tmp_path) is None
    assert not write("six, shut", {}, array("d"), folder=tmp_path)


# What cannot be written leaves no trace.


def cannot_write(folder: Path) -> None:
    """Nothing is written, nothing is raised, and the folder is as it was."""
    before = {path: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    assert write("six, shut", ANSWERS, array("d", [1.0] * 11), folder=folder) is False
    after = {path: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    assert after == before


def failing(code: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("call", ["open", "write", "close", "replace", "makedirs", "fstat"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_a_system_that_refuses(
    call: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    close = os.close

    def refusing_late(descriptor: int) -> None:
        close(descriptor)
        failing(code)()

    monkeypatch.setattr(os, call, refusing_late if call == "close" else failing(code))
    before = {path.name for path in tmp_path.iterdir()}
    assert write("six, shut", {}, array("d", [1.0]), folder=tmp_path) is False
    assert {path.name for path in tmp_path.iterdir()} == before
    monkeypatch.undo()
    assert told(tmp_path) == (ANSWERS, VALUES)


def test_a_disk_that_is_full_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path)
    sizes = [1, 2, 30, 60]
    real = os.write

    def filling_up(descriptor: int, data: memoryview) -> int:
        if not sizes:
            raise OSError(errno.ENOSPC, "full")
        return real(descriptor, data[: sizes.pop()])

    monkeypatch.setattr(os, "write", filling_up)
    cannot_write(tmp_path)
    assert told(tmp_path) == (ANSWERS, VALUES)


def test_a_disk_that_takes_little_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:3]))
    written(tmp_path)
    assert told(tmp_path) == (ANSWERS, VALUES)


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write("six", {}, array("d"), folder=tmp_path)
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_limit_of_the_system(tmp_path: Path) -> None:
    """With a real limit on the size of files, part of the book is written before it is met."""
    source = """if True:
        import resource, sys
        from array import array
        from pathlib import Path
        from shutbox.solver.tablebase import write
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        print(write("six", {}, array("d", bytes(800_000)), folder=Path(sys.argv[1])))
        print(write("six", {}, array("d", bytes(8_000)), folder=Path(sys.argv[1])))
    """
    assert run(source, str(tmp_path)) == "False\nTrue\n"
    [path] = tmp_path.iterdir()
    assert path.suffix == ".book"


@pytest.mark.parametrize("place", ["file", "file/below", "file/far/below"])
def test_a_folder_that_cannot_be(place: str, tmp_path: Path) -> None:
    tmp_path.joinpath("file").write_text("mine")
    cannot_write(tmp_path / place)
    assert read("six, shut", folder=tmp_path / place) is None
    assert tmp_path.joinpath("file").read_text() == "mine"


def test_a_folder_in_the_place_of_the_book(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.unlink()
    path.joinpath("mine").mkdir(parents=True)
    assert write("six, shut", {}, array("d"), folder=tmp_path) is False
    assert [*tmp_path.iterdir()] == [path]
    assert path.joinpath("mine").exists()


def test_a_book_too_large_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = written(tmp_path).stat().st_size
    monkeypatch.setattr(books, "LARGEST", size - 1)
    cannot_write(tmp_path)
    monkeypatch.setattr(books, "LARGEST", size)
    written(tmp_path)


def test_a_large_book_leaves_as_much_of_the_disk_as_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = written(tmp_path).stat().st_size
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(books, "MOST_BYTES", size - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=2 * size - 1))
    cannot_write(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=2 * size))
    written(tmp_path)


def test_a_folder_is_made(tmp_path: Path) -> None:
    assert read("six, shut", folder=tmp_path / "a" / "b") is None
    assert not tmp_path.joinpath("a").exists()
    written(tmp_path / "a" / "b")


# What is in the folder.


def aged(path: Path, seconds: float) -> None:
    """Let a file have been written so many seconds before it was."""
    when = path.stat().st_mtime - seconds
    os.utime(path, (when, when))


def test_what_dead_writers_left_is_ignored_and_removed_when_old(tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    path.unlink()
    parts = {}
    for number, (age, end) in enumerate([(0, 9), (500, 0), (700, 50), (1e6, None), (-1e6, 9)]):
        parts[age] = path.with_name(f"{path.name}.4711-{number}.part")
        parts[age].write_bytes(data[:end])
        aged(parts[age], age)
    mine = [tmp_path / name for name in ("x.part", f"{path.name}.part", "book.1-1.part", ".1-1")]
    for file in mine:
        file.write_bytes(data)
        aged(file, 1e6)
    assert read("six, shut", folder=tmp_path) is None
    assert write("another", {}, array("d", [1.0]), name="one", folder=tmp_path)
    assert {age for age, part in parts.items() if part.exists()} == {0, 500}
    assert all(file.exists() for file in mine)


def test_what_dead_writers_left_goes_even_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path)
    left = path.rename(f"{path}.1-1.part")
    aged(left, 1000)
    monkeypatch.setattr(os, "write", failing(errno.ENOSPC))
    assert not write("six", {}, array("d"), folder=tmp_path)
    assert not any(tmp_path.iterdir())


def test_a_name_that_is_taken_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path)
    left = [path.with_name(f"{path.name}.{os.getpid()}-{number}.part") for number in (7, 8)]
    for part in left:
        part.write_text("half")
    path.unlink()
    monkeypatch.setattr(books, "_numbers", iter(range(7, 100)))
    assert write("six, shut", ANSWERS, array("d", VALUES), folder=tmp_path)
    assert told(tmp_path) == (ANSWERS, VALUES)
    assert [part.read_text() for part in left] == ["half", "half"]


@pytest.fixture
def five(tmp_path: Path) -> Callable[[], list[int]]:
    """Five books, 0 the oldest; which there are now."""
    for number in range(5):
        one_more(number, 100, tmp_path)
        [path] = tmp_path.glob(f"{number}-*")
        os.utime(path, (10**9 + number, 10**9 + number))
    return lambda: sorted(int(path.name[0]) for path in tmp_path.glob("?-????????-1.book"))


def one_more(number: int, size: int, folder: Path) -> None:
    text = str(number)
    assert write(text, {}, array("d", [number] * size), name=text, folder=folder)


def test_the_folder_holds_so_many_books(
    five: Callable[[], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [tmp_path / "0-mine.book", tmp_path / "notes.txt"]
    for file in mine:
        file.write_text("mine")
        os.utime(file, (1, 1))
    monkeypatch.setattr(books, "MOST_BOOKS", 6)
    one_more(5, 0, tmp_path)
    assert five() == [0, 1, 2, 3, 4, 5]
    one_more(6, 0, tmp_path)
    assert five() == [1, 2, 3, 4, 5, 6]
    one_more(1, 0, tmp_path)
    assert five() == [1, 2, 3, 4, 5, 6]
    monkeypatch.setattr(books, "MOST_BOOKS", 2)
    one_more(7, 0, tmp_path)
    assert len(five()) == 2
    assert 7 in five()
    assert all(file.exists() for file in mine)


def test_the_folder_holds_so_many_bytes(
    five: Callable[[], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    monkeypatch.setattr(books, "MOST_BYTES", total)
    one_more(4, 100, tmp_path)
    assert five() == [0, 1, 2, 3, 4]
    one_more(5, 0, tmp_path)
    assert five() == [1, 2, 3, 4, 5]
    one_more(6, 300, tmp_path)
    assert five() == [3, 4, 5, 6]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= total


def test_large_books_stand_beside_the_others(
    five: Callable[[], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = sum(path.stat().st_size for path in tmp_path.iterdir())
    monkeypatch.setattr(books, "MOST_BYTES", total)
    monkeypatch.setattr(books, "LARGEST", 2 * 8 * 700 + 1000)
    one_more(6, 700, tmp_path)
    assert five() == [0, 1, 2, 3, 4, 6]
    one_more(4, 100, tmp_path)
    one_more(7, 700, tmp_path)
    assert five() == [0, 1, 2, 3, 4, 6, 7]
    [path] = tmp_path.glob("6-*")
    os.utime(path, (10**9, 10**9))
    one_more(8, 700, tmp_path)
    assert five() == [0, 1, 2, 3, 4, 7, 8]
    one_more(5, 0, tmp_path)
    assert five() == [1, 2, 3, 4, 5, 7, 8]


def test_a_book_that_is_used_stays(
    five: Callable[[], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (read("0", name="0", folder=tmp_path) or pytest.fail("it was written")).close()
    monkeypatch.setattr(books, "MOST_BOOKS", 5)
    one_more(5, 0, tmp_path)
    assert five() == [0, 2, 3, 4, 5]


def test_a_book_in_a_folder_that_is_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path)
    for call in ("utime", "unlink"):
        monkeypatch.setattr(os, call, failing(errno.EROFS))
    assert told(tmp_path) == (ANSWERS, VALUES)
    path.write_bytes(path.read_bytes()[:-1])
    monkeypatch.setattr(Path, "unlink", failing(errno.EROFS))
    assert told(tmp_path) is None


# Several programs at once.


def run(source: str, *words: str) -> str:
    return start(source, *words).communicate()[0]


def start(source: str, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", source, *words],
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


WRITER = """if True:
    import sys
    from array import array
    from pathlib import Path
    from shutbox.solver.tablebase import write
    folder, mine = Path(sys.argv[1]), int(sys.argv[2])
    for number in range(150):
        values = array("d", [mine + number]) * (9000 + 1000 * mine + number)
        assert write("six", {"of": mine + number, "size": len(values)}, values, folder=folder)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="an open book is not replaced there")
def test_programs_at_once_see_whole_books_only(tmp_path: Path) -> None:
    assert write("six", {"of": 0, "size": 0}, array("d"), folder=tmp_path)
    writers = [start(WRITER, str(tmp_path), mine) for mine in ("1", "1000")]
    seen = set()
    running = True
    while running:
        running = any(writer.poll() is None for writer in writers)
        with read("six", folder=tmp_path) or pytest.fail("there is one at any time") as book:
            of = book.answers["of"]
            seen.add(of)
            assert len(book) == book.answers["size"]
            assert set(book.values()) <= {of}
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    assert {of >= 1000 for of in seen} == {False, True}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="programs are not killed so there")
def test_a_killed_writer_leaves_no_half_book(tmp_path: Path) -> None:
    source = """if True:
        import os, sys
        from array import array
        from pathlib import Path
        from shutbox.solver import tablebase
        real, left = os.write, int(sys.argv[2])
        def write(file, data):
            global left
            left -= 1
            if not left:
                os._exit(1)
            return real(file, data[:50])
        os.write = write
        tablebase.write("six", {"a": 1}, array("d", range(20)), folder=Path(sys.argv[1]))
    """
    for moment in range(1, 8):
        run(source, str(tmp_path), str(moment))
        said = told(tmp_path, "six")
        assert said is None or said == ({"a": 1}, [*range(20)])
    assert said is not None
    left = [path for path in tmp_path.iterdir() if path.suffix == ".part"]
    assert len(left) > 3
    for path in left:
        aged(path, 1000)
    assert write("six", {}, array("d"), folder=tmp_path)
    assert not any(path.suffix == ".part" for path in tmp_path.iterdir())


# Where they are.


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("SHUTBOX_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    return monkeypatch


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {}, "home/.cache/shutbox"),
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/shutbox"),
        ("linux", {"XDG_CACHE_HOME": "x"}, "home/.cache/shutbox"),
        ("linux", {"XDG_CACHE_HOME": ""}, "home/.cache/shutbox"),
        ("linux", {"SHUTBOX_CACHE": "mine", "XDG_CACHE_HOME": "/x"}, "mine"),
        ("linux", {"SHUTBOX_CACHE": ""}, "home/.cache/shutbox"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "home/Library/Caches/shutbox"),
        ("darwin", {"SHUTBOX_CACHE": "mine"}, "mine"),
        ("win32", {}, "home/AppData/Local/shutbox/cache"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/shutbox/cache"),
        ("win32", {"SHUTBOX_CACHE": "mine", "LOCALAPPDATA": "local"}, "mine"),
    ],
)
def test_where_books_are(
    system: str, variables: dict[str, str], folder: str, environment: pytest.MonkeyPatch
) -> None:
    environment.setattr(sys, "platform", system)
    for name, value in variables.items():
        environment.setenv(name, value)
    assert book_folder() == Path(folder)


def test_a_user_without_a_home_has_no_books(environment: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    environment.setattr(Path, "home", homeless)
    environment.setattr(sys, "platform", "linux")
    assert book_folder() is None
    assert read("six") is None
    assert write("six", {}, array("d")) is False


def test_the_folder_of_the_user_is_used(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("SHUTBOX_CACHE", str(tmp_path / "cache"))
    assert write("six", {}, array("d", [1]), name="Six")
    with read("six", name="Six") or pytest.fail("it was written") as book:
        assert every(book) == [1]
    [path] = tmp_path.joinpath("cache").iterdir()
    assert path.name.startswith("six-")


def test_books_need_no_numpy() -> None:
    source = "import sys, shutbox.solver.tablebase; print('numpy' in sys.modules)"
    assert run(source) == "False\n"
