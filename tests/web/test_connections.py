"""The limits of a connection, and that other clients can play while it is cut off."""

import base64
import os
import socket
import struct
import time
from collections.abc import Iterator
from unittest.mock import Mock, patch

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.sync.client import connect

from people import Person, cookies_of, path_of
from serving import PATIENCE, Served
from shutbox.web import limits
from shutbox.web.server.connections import BoundedWebSocket

IMPATIENT = """
import sys
from shutbox.cli.main import main
from shutbox.web import limits
limits.REQUEST_SECONDS = limits.SEND_SECONDS = 0.5
sys.exit(main(["serve", *sys.argv[1:]]))
"""
REQUEST = "GET /api/games HTTP/1.1\r\nHost: {host}\r\n"
EMPTY_PING, EMPTY_PART, LONG_PING = (0x89, b""), (0x00, b""), (0x89, b"x" * 125)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("impatient")
    with Served(folder, program=("-c", IMPATIENT)) as served:
        yield served


def connected(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), PATIENCE)


def head(served: Served, *more: str) -> bytes:
    """The lines of a request, without the empty one that ends it."""
    lines = "".join(f"{line}\r\n" for line in more)
    return (REQUEST.format(host=f"127.0.0.1:{served.port}") + lines).encode()


def upgrade(*more: str) -> list[str]:
    """The lines of a request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    begins = "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"
    return [*begins, f"Sec-WebSocket-Key: {key}", *more]


def answer(connection: socket.socket) -> bytes:
    """What comes until the server ends the connection."""
    said = b""
    try:
        while more := connection.recv(65536):
            said += more
    except ConnectionResetError:
        pass
    return said


def is_cut_off(connection: socket.socket, data: bytes, pause: float = 0.0) -> bool:
    """Whether the server ends the connection of who sends that without end."""
    try:
        for _ in range(2000):
            connection.sendall(data)
            time.sleep(pause)
    except OSError:
        return True
    return False


def frame(opcode: int, data: bytes) -> bytes:
    """A frame of a client, masked with zeros."""
    return struct.pack("!BB", opcode, 0x80 | len(data)) + bytes(4) + data


def test_a_request_that_does_not_come_is_waited_for_no_longer(impatient: Served) -> None:
    for begun in ("GET /api/ga", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "):
        with connected(impatient) as slow:
            slow.sendall(begun.encode())
            assert answer(slow).startswith(b"HTTP/1.1 408 ")
    with connected(impatient) as slow:  # its body does not come
        slow.sendall(head(impatient, "Content-Length: 5").replace(b"GET", b"POST") + b"\r\n1")
        started = time.monotonic()
        answer(slow)
        assert time.monotonic() - started < PATIENCE


def test_a_head_comes_in_pieces_but_has_an_end(served: Served) -> None:
    with connected(served) as slow:
        for byte in head(served, "Connection: close") + b"\r\n":
            slow.sendall(bytes([byte]))
        assert answer(slow).startswith(b"HTTP/1.1 200 ")
    with connected(served) as large:
        large.sendall(head(served, f"X-Large: {'x' * (limits.LARGEST_HEAD - 500)}") + b"\r\n")
        assert large.recv(12) == b"HTTP/1.1 200"
    with connected(served) as larger:
        larger.sendall(head(served, f"X-Large: {'x' * limits.LARGEST_HEAD}"))
        assert answer(larger).startswith(b"HTTP/1.1 431 ")


def test_a_connection_on_which_nothing_is_asked_ends_without_a_word(impatient: Served) -> None:
    for asked in (False, True):  # with an empty line after an answer
        with connected(impatient) as idle:
            if asked:
                idle.sendall(head(impatient) + b"\r\n")
                assert idle.recv(12) == b"HTTP/1.1 200"
                idle.sendall(b"\r\n")
            said = answer(idle)
            assert said.count(b"HTTP/1.1 ") == said.count(b"HTTP/1.1 408 ") <= asked


def test_a_websocket_that_cannot_begin_ends(served: Served) -> None:
    for more in ("Content-Length: 5", f"X-Long: {'x' * 9000}"):
        with connected(served) as never:
            never.sendall(head(served, *upgrade(more)) + b"\r\n")
            assert answer(never).startswith(b"HTTP/1.1 400 ")


def test_a_body_that_nobody_reads_ends(served: Served) -> None:
    assert limits.LARGEST_REQUEST < 2000 * 65536
    with connected(served) as endless:
        endless.sendall(
            head(served, f"Content-Length: {1 << 40}").replace(b"GET", b"POST") + b"\r\n"
        )
        assert is_cut_off(endless, b"x" * 65536)


def test_who_floods_a_stream_is_cut_off_and_others_play_on(served: Served) -> None:
    for sent in (EMPTY_PING, EMPTY_PART, LONG_PING):
        with served.client() as client, connected(served) as flood:
            ann = Person(client)
            opened = ann.open(game="classic", seats=[{"who": "me"}])
            room, cookie = opened["view"]["room"], cookies_of(client)["cookie"]
            begins = head(served, *upgrade(f"Cookie: {cookie}")) + b"\r\n"
            flood.sendall(begins.replace(b"/api/games", path_of(room, "live").encode()))
            assert flood.recv(12) == b"HTTP/1.1 101"
            assert is_cut_off(flood, frame(*sent) * 500)
            assert ann.step(room, opened["view"]["table"])


def test_a_budget_fills_again() -> None:
    clock = [0.0]
    wire, sent = Mock(is_closing=lambda: False), frame(*EMPTY_PING) * 100
    with patch.object(WebSocketsSansIOProtocol, "data_received", autospec=True) as read:
        flood = BoundedWebSocket.__new__(BoundedWebSocket)
        flood.loop, flood.transport = Mock(time=lambda: clock[0]), wire
        flood.handshake_initiated = True
        flood.data_received(b"GET /")  # the handshake
        for _ in range(limits.WEBSOCKET_BYTES // len(sent)):
            flood.data_received(sent)
        clock[0] += len(sent) / limits.WEBSOCKET_BYTES_A_SECOND
        flood.data_received(sent)
        assert not wire.abort.called
        flood.data_received(sent)
        assert wire.abort.called
        assert len(read.call_args[0][1]) < len(sent)


def test_a_page_that_answers_pings_stays(served: Served) -> None:
    with served.client() as client:
        room = Person(client).open(game="classic", seats=[{"who": "me"}])["view"]["room"]
        url = f"ws://127.0.0.1:{served.port}{path_of(room, 'live')}"
        with connect(url, additional_headers=cookies_of(client)) as page:
            for _ in range(limits.WEBSOCKET_BYTES // 100):
                assert page.ping().wait(PATIENCE)
            page.send("x" * limits.LARGEST_FRAME)
            assert page.ping().wait(PATIENCE)
