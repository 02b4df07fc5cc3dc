"""Files of results: a sound one gives back what was made; with any fault it is made again."""

import errno
import os
import struct
import subprocess
import sys
from array import array
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutbox.solving import cache
from shutbox.solving.cache import cache_folder, is_stored, read_or_make

DATA: dict[str, Any] = {"best": 0.1, "ways": [1, 2**70], "of": "=x"}
VALUES = [n / 7 for n in range(5)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2] / "src"))  # of other programs
    return tmp_path / "cache"


def asked(key: str = "six, shut") -> bool:
    """Ask for DATA and VALUES; whether they had to be made. They are right in any case."""
    made = []

    def make() -> tuple[Any, Any]:
        made.append(key)
        return DATA, array("d", VALUES)

    data, values = read_or_make("six", key, make)
    assert (data, values.cast("d").tolist()) == (DATA, VALUES)
    return bool(made)


def keep(name: str, values: int) -> None:
    """Keep so many values under a name of its own."""
    read_or_make(name, name, lambda: (None, array("d", bytes(8 * values))))


# What was made is read

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # The halves of surrogate pairs, too.
    | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(max_examples=40)
@given(key=st.text(st.characters()), data=anything, values=st.lists(st.floats()))
def test_what_was_made_is_read_to_the_bit(
    key: str, data: Any, values: list[float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = struct.pack(f"{len(values)}d", *values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(tmp_path_factory.mktemp("cache")))
        assert not is_stored("six", key)
        read_or_make("six", key, lambda: (data, made))
        assert is_stored("six", key)
        found, read = read_or_make("six", key, lambda: pytest.fail("it was kept"))
    assert repr(found) == repr(data)  # 1 is not 1.0, and -0.0 is not 0.0
    assert bytes(read) == made


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="maps are not listed")
def test_values_are_mapped_from_the_file_even_at_first(folder: Path) -> None:
    _, values = read_or_make("six", "six", lambda: (None, array("d", VALUES)))
    [file] = folder.iterdir()
    assert str(file) in Path("/proc/self/maps").read_text(encoding="utf-8")
    assert values.readonly
    del values
    assert str(file) not in Path("/proc/self/maps").read_text(encoding="utf-8")


def test_values_begin_where_compiled_code_can_use_them(folder: Path) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    for length in range(20):
        _, values = read_or_make("six", "x" * length, lambda: (None, np.arange(3.0)))
        assert np.frombuffer(values).flags.aligned
        assert np.frombuffer(values).tolist() == [0, 1, 2]


# What is wrong is made again


def test_with_any_fault_it_is_made_again(folder: Path) -> None:
    assert asked()
    [file] = folder.iterdir()
    sound = file.read_bytes()
    assert not asked()
    faults = [b"", sound + b"\0", sound + bytes(64), b"\0" + sound, sound + sound]
    for place in range(len(sound)):
        before, here, after = sound[:place], sound[place], sound[place + 1 :]
        faults.append(before + bytes([here ^ (128 if place % 2 else 1)]) + after)
        if place % 3 == 0:
            faults += [before, before + after, before + bytes(len(sound) - place)]
    for fault in faults:
        if fault != sound:  # where the last bytes are zeros anyway
            file.write_bytes(fault)
            assert asked()
            assert file.read_bytes() == sound


def test_a_file_of_another_key_or_machine_is_not_believed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked("six, mean")
    [file] = folder.iterdir()
    monkeypatch.setattr(cache, "_path", lambda name, key: file)  # as if two keys shared a file
    assert asked("six, shut")
    assert not asked("six, shut")
    monkeypatch.setattr(sys, "byteorder", "little" if sys.byteorder == "big" else "big")
    assert asked("six, shut")


# What cannot be kept is used all the same


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("file").write_text("mine")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / place))
    assert asked()
    assert asked()
    assert tmp_path.joinpath("file").read_text() == "mine"


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "disk full"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_what_there_was(
    folder: Path, fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise fault

    assert asked("six, mean")
    with monkeypatch.context() as disk:
        disk.setattr(Path, "replace", fails)
        with nullcontext() if isinstance(fault, OSError) else pytest.raises(KeyboardInterrupt):
            assert asked("six, shut")
    assert not asked("six, mean")
    assert len([*folder.iterdir()]) == 1


def test_in_a_folder_that_is_only_read_files_are_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    asked()
    for call in ("utime", "unlink", "mkdir"):
        monkeypatch.setattr(os, call, refused)
    assert not asked()


# What is in the folder


def test_the_least_recently_used_files_make_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left() -> list[int]:
        return sorted(int(file.name[0]) for file in folder.glob("?-????????.cache"))

    monkeypatch.setattr(cache, "LEAST_BYTES", 0)
    for number in range(5):  # 0 is the oldest
        keep(str(number), 100)
        [file] = folder.glob(f"{number}-*")
        os.utime(file, (10**9 + number, 10**9 + number))
    size = sum(file.stat().st_size for file in folder.iterdir())
    monkeypatch.setattr(cache, "MOST_BYTES", size)  # there is no room for more
    mine = [folder / name for name in ("notes.txt", "0-mine.cache", "x-01234567.cache.part")]
    for file in mine:
        file.write_bytes(bytes(10_000))
        os.utime(file, (1, 1))
    keep("0", 100)  # only read, which is a use
    keep("5", 100)
    assert left() == [0, 2, 3, 4, 5]
    keep("6", 250)
    assert left() == [0, 5, 6]
    keep("7", 10_000)  # larger than all the room there is
    assert left() == [0, 5, 6]
    assert all(file.exists() for file in mine)


# Several programs at once


WRITER = """if True:
    import sys
    from array import array
    from shutbox.solving import cache
    mine = int(sys.argv[1])
    for number in range(100):
        size = 9000 + 100 * mine + number
        path = cache._path("six", "six")
        values = memoryview(array("d", [size]) * size).cast("B")
        assert cache._write(path, "six", size, values)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="an open file is not replaced there")
def test_programs_at_once_see_whole_files_only(folder: Path) -> None:
    read_or_make("six", "six", lambda: (0, b""))
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, mine]) for mine in ("1", "1000")]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        size, values = read_or_make("six", "six", lambda: pytest.fail("there is one at any time"))
        assert values.cast("d").tolist() == [size] * size
        seen.add(size)
    assert [writer.wait() for writer in writers] == [0, 0]
    assert {size > 50_000 for size in seen} == {False, True}
    assert len(list(folder.iterdir())) == 1


# Where they are


@pytest.mark.parametrize(
    ("system", "variables", "place"),
    [
        ("linux", {"XDG_CACHE_HOME": "x"}, "home/.cache/shutbox"),
        ("linux", {"SHUTBOX_CACHE": "mine", "XDG_CACHE_HOME": "/x"}, "mine"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "home/Library/Caches/shutbox"),
        ("win32", {}, "home/AppData/Local/shutbox/cache"),
    ],
)
def test_where_files_are(
    system: str, variables: dict[str, str], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SHUTBOX_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    monkeypatch.setattr(sys, "platform", system)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(place)


def test_a_user_without_a_home_has_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() is None
    assert asked()
    assert asked()
    assert not is_stored("six", "six, shut")
