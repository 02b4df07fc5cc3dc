"""A network between browser and server that can fail silently: connections hang open."""

import contextlib
import socket
import threading


class Wire:
    """A proxy. `cut` lets every connection hang, and after `mend` new connections work."""

    def __init__(self, port: int) -> None:
        """Forward connections to the server on `port`."""
        self._port = port
        self._cut = threading.Event()
        self._open: list[socket.socket] = []
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listens.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Stop forwarding data, without closing any connection."""
        self._cut.set()

    def mend(self) -> None:
        """Forward new connections again. Old ones keep hanging."""
        self._cut = threading.Event()

    def close(self) -> None:
        """Close every connection."""
        for connection in (self._listens, *self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listens.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._open += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=_hand_on, args=(*pair, self._cut), daemon=True).start()


def _hand_on(taken: socket.socket, given: socket.socket, cut: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while data := taken.recv(65_536):
            if cut.is_set():
                return
            given.sendall(data)
        if not cut.is_set():
            given.shutdown(socket.SHUT_WR)
