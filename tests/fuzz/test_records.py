"""Fuzz tests of records: the reader returns exactly what the bytes say, or nothing.

Records are damaged in two ways. Bytes are cut out, doubled, swapped or replaced, which the check
codes detect. And the texts of lines are changed and get new codes, so that the code behind the
check is reached, too. `make nightly ONLY=fuzz` runs many more inputs.
"""

import functools
import random
from collections.abc import Callable

import pytest

from records import ANN, ROBO, game_named, header, random_play, reading, short_record
from shutbox.engine.errors import BadRecord
from shutbox.record import Source, to_bytes
from shutbox.record.lines import code_of

PIECES = (
    *(b"", b"\n", b"\r\n", b"\0", b" ", b"#", b" #", b": ", b"=", b",", b'"', b"\\u0000", b"\xff"),
    *b"\xef\xbb\xbf 0 1 -1 00 + 3+5 999999999999999999999999999999 Ann Robo begin".split(),
    *(b"position 1.5.9/2+4\n", b"position ", b"1-999", b"/6+6", b"player Bob\n", b"game cargo"),
    *(b"format x\n", b"throws", b"reads", b"chooses", b"takes back", b"corrects to ", b"1 7"),
    *(b"throw", b"hold d6-5", b"[", b"{", b"}", b"null", b"true", b"1e999", b"NaN", b"events"),
    *("\u0663\u2028".encode(), "\ud800".encode(errors="surrogatepass")),
)


@functools.cache
def good() -> tuple[bytes, ...]:
    """Records of several games, short enough for many to be read in a second."""
    made = [short_record()[0]]
    for name, seed, dice in (
        ("cargo(hold=each)", 12, Source("hand")),
        ("tray", 3, Source("seed", "\ud800")),
        ("passed", 5, Source()),
        ("double-shutter", 1, Source()),
    ):
        game = game_named(name)
        made.append(
            to_bytes(header(name, ANN, ROBO, dice=dice), game, random_play(game, seed, 8).log)
        )
    for name, position in (
        ("classic", "1.5.9/2+4"),
        ("double-shutter", "1.2.b9"),
        ("cargo", "6/4/1+2+2+4+5"),
    ):
        game = game_named(name)
        log = random_play(game, 4, 6, start=game.position_at(position)).log
        made.append(to_bytes(header(name, position=position), game, log))
    return tuple(made)


def spoilt(data: bytes, chance: random.Random) -> bytes:
    """The data with up to three pieces replaced by themselves twice, by others, or by nothing."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 1, 1, 2, 5, 40)))
        other = chance.randint(0, len(data))
        middle = chance.choice(
            (data[start:end] * 2, chance.choice(PIECES), chance.randbytes(1), data[other:][:40])
        )
        data = data[:start] + middle + data[end:]
    return data


def sealed_again(data: bytes) -> bytes:
    """The data with the check codes that its lines ought to have."""
    lines = data.split(b"\n")
    begin = next((n for n, line in enumerate(lines) if line.startswith(b"begin")), len(lines) - 1)
    head = code_of(b"".join(line + b"\n" for line in lines[:begin]))
    for number, line in enumerate(lines[begin:-1], start=begin):
        text, mark, _ = line.rpartition(b" #")
        code = code_of(head.encode() + b" " + text) if number > begin else head
        lines[number] = (text if mark else line) + b" #" + code.encode()
    return b"\n".join(lines)


def spoilt_bytes(data: bytes, chance: random.Random) -> bytes:
    return spoilt(data, chance)


def spoilt_texts(data: bytes, chance: random.Random) -> bytes:
    return sealed_again(spoilt(data, chance))


@pytest.mark.parametrize("spoil", [spoilt_bytes, spoilt_texts])
def test_what_is_read_is_what_is_written(
    spoil: Callable[[bytes, random.Random], bytes], request: pytest.FixtureRequest
) -> None:
    inputs = request.config.getoption("--fuzz")
    chance = random.Random() if inputs >= 1000 else random.Random(1)
    known = {data: reading(data).play.log for data in good()}
    read_so_far = 0
    for _ in range(inputs):
        whole = chance.choice(good())
        data = b""
        try:
            data = spoil(whole, chance)
            back = reading(data)
        except BadRecord:
            continue
        except BaseException:
            print(f"{data!r}, made of {whole!r}")
            raise
        read_so_far += 1
        # There is one way to write what was read: byte for byte what stands there.
        again = to_bytes(back.header, back.game, back.play.log)
        assert again.removesuffix(b"\n") == data[: back.sound_bytes].removesuffix(b"\n"), data
        assert bool(back.fault or back.torn) == (back.sound_bytes < len(data)), data
        if spoil is spoilt_bytes:
            assert back.play.log == known[whole][: back.play.version], data
    assert read_so_far > 0
