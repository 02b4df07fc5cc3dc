"""The store: saved events are on disk, and only one program at a time plays a record."""

import errno
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from records import game_named, game_of, happen, header, prepared, random_play, short_record
from shutbox import Game, Roll
from shutbox.engine.errors import BadRecord, InUse, NotKept, UnknownRecord
from shutbox.engine.play import Chosen, Play, Rolled, TookBack
from shutbox.record import durable_file, to_bytes
from shutbox.record.durable_file import open_regular
from shutbox.record.folder import Journal, Store, data_folder
from shutbox.record.lines import with_code

HAS_PROC = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="open files are not listed"
)
EIGHT, NINE = Roll((3, 5)), Roll((4, 5))
EIGHT_TAKEN = Chosen(
    game_named("classic").parse_choice(Play(game_named("classic"), [Rolled(EIGHT)]).position, "8")
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "not" / "there" / "yet")


def classic() -> Game[Any, Any]:
    return game_named("classic")


def begun(store: Store, *rolls: Roll) -> Journal:
    """The journal of a play of classic in which these have fallen."""
    journal = store.begin(header())
    for number, roll in enumerate(rolls, start=1):
        journal.append(prepared(number, Rolled(roll)))
    return journal


def content(store: Store, id: int = 1) -> bytes:
    return store.path(id).read_bytes()


# Keeping and reading.


def test_a_play_is_kept_as_it_happens(store: Store) -> None:
    events = random_play(classic(), 1).log
    with store.begin(header()) as journal:
        play = Play(classic())
        for number, event in enumerate(events, start=1):
            happen(play, journal, event)
            assert content(store) == to_bytes(header(), classic(), events[:number])
            assert store.read(1, game_of).play.position == play.position
    assert (journal.id, journal.path) == (1, store.path(1))


def test_a_play_that_nobody_begins_leaves_nothing(store: Store) -> None:
    with store.begin(header()) as journal:
        assert journal.id is None
        assert journal.path is None
    assert not store.folder.parent.exists()


def test_records_are_numbered_as_they_begin(store: Store) -> None:
    assert store.ids() == ()
    assert store.newest() is None
    for id in (1, 2, 3):
        with begun(store, EIGHT) as journal:
            assert journal.id == id
    store.path(2).unlink()
    store.folder.joinpath("04.shutbox").write_text("")
    store.folder.joinpath("notes.txt").write_text("")
    store.folder.joinpath("10.shutbox").write_text("")
    assert store.ids() == (1, 3, 10)
    assert store.newest() == 10
    with begun(store, EIGHT) as journal:
        assert journal.id == 11


def test_two_programs_never_get_one_number(store: Store) -> None:
    begin = threading.Barrier(8)
    got: list[int | None] = []

    def play() -> None:
        begin.wait()
        for _ in range(10):
            with begun(store, EIGHT) as journal:
                got.append(journal.id)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(id for id in got if id) == list(store.ids()) == list(range(1, 81))
    for id in store.ids():
        assert store.read(id, game_of).play.log == (Rolled(EIGHT),)


def test_what_is_not_there_is_unknown(store: Store, tmp_path: Path) -> None:
    for which in (1, tmp_path / "none.shutbox", tmp_path):
        for look in (store.read, store.resume):
            with pytest.raises(UnknownRecord):
                look(which, game_of)
    store = Store(tmp_path / "file")
    store.folder.write_text("")
    with pytest.raises(UnknownRecord):
        store.ids()
    hidden = Store(tmp_path / "a\u200bb")
    with pytest.raises(UnknownRecord, match=r"there is no game 1 in .*a\\u200bb$"):
        hidden.read(1, game_of)


# Going on.


def test_a_record_elsewhere_goes_on_where_it_lies(store: Store, tmp_path: Path) -> None:
    begun(store, EIGHT).close()
    other = store.path(1).rename(tmp_path / "mine.shutbox")
    _, journal = store.resume(other, game_of)
    with journal:
        assert (journal.id, journal.path) == (None, other)
        journal.append(prepared(2, TookBack()))
    assert b"2 Ann: takes back" in other.read_bytes()
    assert store.ids() == ()


@pytest.mark.parametrize("zeros", [0, 40_000])
def test_a_torn_line_is_cut_off_and_a_lost_line_feed_put_back(store: Store, zeros: int) -> None:
    whole = to_bytes(header(), classic(), [Rolled(EIGHT)])
    line = with_code("2 Ann: chooses 8", header().code)
    store.folder.mkdir(parents=True)
    for lost in (0, 1, 2, 10, 28, 29):
        cut = (whole + line)[: len(whole + line) - lost] + bytes(zeros)
        store.path(1).write_bytes(cut)
        reading, journal = store.resume(1, game_of)
        with journal:
            # Nothing is written before something happens.
            assert content(store) == cut
            play = Play(reading.game, reading.play.log)
            if play.version == 1:
                happen(play, journal, EIGHT_TAKEN)
            happen(play, journal, Rolled(NINE))
        assert content(store) == to_bytes(header(), classic(), play.log)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_what_is_no_file_is_neither_waited_for_nor_read(store: Store, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", Path("/dev/zero")):
        for look in (store.resume, store.read):
            with pytest.raises(UnknownRecord, match="cannot be read: it is no file"):
                look(place, game_of)


def test_a_damaged_record_is_left_as_it_is_and_copied(store: Store) -> None:
    damaged = to_bytes(header(), classic(), [Rolled(EIGHT)]) + b"rubbish\nmore\n"
    store.folder.mkdir(parents=True)
    store.path(1).write_bytes(damaged)
    reading, journal = store.resume(1, game_of)
    with journal:
        assert reading.fault is not None
        assert journal.id is None
        assert store.ids() == (1,)
        play = Play(reading.game, reading.play.log)
        happen(play, journal, EIGHT_TAKEN)
        assert journal.id == 2
    assert content(store, 1) == damaged
    assert content(store, 2) == to_bytes(header(), classic(), play.log)


def test_a_record_without_a_header_cannot_be_resumed(store: Store) -> None:
    store.folder.mkdir(parents=True)
    store.path(1).write_bytes(bytes(header())[:-20])
    for _ in range(2):  # and it is not kept locked
        with pytest.raises(BadRecord):
            store.resume(1, game_of)


# One program at a time.


def test_a_record_is_played_by_one_program(store: Store) -> None:
    begun(store, EIGHT).close()
    with store.resume(1, game_of)[1]:
        for which in (1, store.path(1)):
            with pytest.raises(InUse, match="is being played by another program"):
                store.resume(which, game_of)
        # Reading needs no lock, and another record is free.
        assert store.read(1, game_of).play.version == 1
        with begun(store, EIGHT), pytest.raises(InUse):  # and locked from its first event on
            store.resume(2, game_of)
    store.resume(1, game_of)[1].close()


def test_where_there_are_no_locks_a_second_writer_is_noticed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    begun(store, EIGHT).close()
    with store.resume(1, game_of)[1] as one, store.resume(1, game_of)[1] as other:
        one.append(prepared(2, EIGHT_TAKEN))
        kept = content(store)
        with pytest.raises(NotKept, match="another program wrote to it"):
            other.append(prepared(2, EIGHT_TAKEN))
        assert content(store) == kept
        one.append(prepared(3, Rolled(NINE)))


# What the disk refuses.


def refusing(number: int) -> Callable[..., None]:
    """A system call that fails with the error of this number."""

    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


def failing_writes(monkeypatch: pytest.MonkeyPatch, taken: int, error: BaseException) -> None:
    """A disk that takes so many bytes more, a few at a time."""
    write = os.write

    def refuse(descriptor: int, data: Any) -> int:
        nonlocal taken
        if not taken:
            raise error
        taken -= min(taken, 7, len(data))
        return write(descriptor, data[: min(7, len(data))])

    monkeypatch.setattr(os, "write", refuse)


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("taken", [0, 7, 14])
@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()])
def test_what_a_full_disk_refuses_has_not_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch, taken: int, error: BaseException
) -> None:
    with begun(store, EIGHT) as journal:
        play = Play(classic(), [Rolled(EIGHT)])
        before, position = content(store), play.position
        with monkeypatch.context() as full:
            failing_writes(full, taken, error)
            with pytest.raises(NotKept if error is FULL else KeyboardInterrupt):
                happen(play, journal, EIGHT_TAKEN)
        assert (content(store), play.position, play.version) == (before, position, 1)
        happen(play, journal, EIGHT_TAKEN)
        happen(play, journal, Rolled(NINE))
    assert content(store) == to_bytes(header(), classic(), play.log)


def test_a_full_disk_leaves_no_new_record(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.begin(header()) as journal:
        with monkeypatch.context() as full:
            failing_writes(full, 50, FULL)
            with pytest.raises(NotKept, match="move 1 is not kept: No space left on device"):
                journal.append(prepared(1, Rolled(EIGHT)))
        assert store.ids() == ()
        assert journal.id is None
        journal.append(prepared(1, Rolled(EIGHT)))
        assert store.ids() == (1,)


def test_a_disk_that_cannot_be_cut_back_is_cut_back_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begun(store, EIGHT) as journal:
        with monkeypatch.context() as broken:
            failing_writes(broken, 7, FULL)
            broken.setattr(os, "ftruncate", refusing(errno.ENOSPC))
            with pytest.raises(NotKept):
                journal.append(prepared(2, EIGHT_TAKEN))
        assert store.read(1, game_of).torn
        journal.append(prepared(2, EIGHT_TAKEN))
    reading = store.read(1, game_of)
    assert (reading.play.version, reading.torn, reading.fault) == (2, False, None)


def test_what_cannot_be_forced_to_the_disk_is_not_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begun(store, EIGHT) as journal:
        before = content(store)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", refusing(errno.EIO))
            with pytest.raises(NotKept, match="Input/output error"):
                journal.append(prepared(2, EIGHT_TAKEN))
        assert content(store) == before


def test_where_nothing_can_be_written_nothing_is_kept(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Store(tmp_path / "file" / "more").begin(header())
    with journal, pytest.raises(NotKept):
        journal.append(prepared(1, Rolled(EIGHT)))
    assert os.listdir(tmp_path) == ["file"]
    with begun(store, EIGHT) as journal:
        store.path(1).unlink()
        with pytest.raises(NotKept, match="it was removed"):
            journal.append(prepared(2, Rolled(NINE)))


def test_an_event_out_of_turn_or_of_a_closed_record_is_not_kept(store: Store) -> None:
    with begun(store, EIGHT) as journal:
        before = content(store)
        for number in (0, 1, 3):
            with pytest.raises(NotKept, match=f"move {number} is not kept: move 2 is due"):
                journal.append(prepared(number, Rolled(NINE)))
    journal.close()
    with pytest.raises(NotKept, match="the record is closed"):
        journal.append(prepared(2, Rolled(NINE)))
    assert content(store) == before


def test_a_record_that_may_not_be_written_is_read_and_not_resumed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(store, EIGHT).close()

    def refuse(path: Path, flags: int = os.O_RDONLY) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_regular(path, flags)

    monkeypatch.setattr("shutbox.record.folder.open_regular", refuse)
    with pytest.raises(NotKept, match="may be read, not written to: Permission denied"):
        store.resume(1, game_of)
    assert store.read(1, game_of).play.version == 1


@pytest.mark.parametrize("refusal", [errno.ENOLCK, errno.ENOTSUP])
def test_a_file_system_without_locks_goes_without(
    store: Store, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    import fcntl

    monkeypatch.setattr(fcntl, "flock", refusing(refusal))
    with begun(store, EIGHT):
        store.resume(1, game_of)[1].close()


@HAS_PROC
def test_files_are_let_go_of(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short, _ = short_record()
    before = len(os.listdir("/proc/self/fd"))
    with monkeypatch.context() as full:
        failing_writes(full, 50, FULL)
        with pytest.raises(NotKept):
            begun(store, EIGHT)
    begun(store, EIGHT).close()
    for data in (short, short + b"rubbish\n", short[:-3], b""):
        path = tmp_path / "some.shutbox"
        path.write_bytes(data)
        for _ in range(3):
            try:
                store.resume(path, game_of)[1].close()
            except BadRecord:
                assert not data
    assert len(os.listdir("/proc/self/fd")) == before


# Where records are kept.


FOLDERS: list[tuple[str, dict[str, str], str]] = [
    ("linux", {"SHUTBOX_DATA": "/data", "XDG_DATA_HOME": "/xdg"}, "/data"),
    ("linux", {"XDG_DATA_HOME": "/xdg"}, "/xdg/shutbox"),
    ("linux", {"XDG_DATA_HOME": "xdg"}, "/home/ann/.local/share/shutbox"),
    ("freebsd14", {"SHUTBOX_DATA": ""}, "/home/ann/.local/share/shutbox"),
    ("darwin", {"XDG_DATA_HOME": "/xdg"}, "/home/ann/Library/Application Support/shutbox"),
    ("win32", {"LOCALAPPDATA": "/local"}, "/local/shutbox"),
    ("win32", {}, "/home/ann/AppData/Local/shutbox"),
]


def test_the_folder_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "/home/ann")
    for platform, variables, folder in FOLDERS:
        monkeypatch.setattr(sys, "platform", platform)
        for name in ("SHUTBOX_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert Store().folder == data_folder() == Path(folder)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(NotKept, match="SHUTBOX_DATA"):
        data_folder()


def test_systems_that_sync_no_folders_go_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", refusing(errno.EINVAL))
    durable_file.sync_folder(Path())
    monkeypatch.setattr(sys, "platform", "win32")
    durable_file.sync_folder(Path("no such folder"))
