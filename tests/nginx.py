"""A real nginx in front of a server, configured by deploy/nginx.conf."""

import os
import re
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from push_service import certify
from serving import PATIENCE, ROOT

Servers = Mapping[str, Sequence[int]]
CONFIGURATION = ROOT / "deploy" / "nginx.conf"
_HERE = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""The temporary folders of nginx, which are system folders unless set."""


def configuration(port: int, processes: Servers, folder: Path, unlimited: str, *, tls: bool) -> str:
    """Return deploy/nginx.conf for these ports and this folder, with some addresses unlimited.

    `processes` has the ports of the servers by their name. With `tls` it reads the key and the
    certificate in `box.pem` there; without, it listens to http. The port of plain http becomes the
    socket `http` in the folder.
    """
    text = CONFIGURATION.read_text(encoding="utf-8")
    places = "".join(f"{what}_temp_path {folder / what};\n" for what in _HERE)
    servers = _servers(port for ports in processes.values() for port in ports)
    routes = "".join(f'"~^/(r|api/rooms)/{name}" named_{name};\n' for name in processes)
    upstreams = (f"upstream named_{n} {{ {_servers(ports)} }}\n" for n, ports in processes.items())
    changes = {
        r"^user www-data;$": "user root;" if os.geteuid() == 0 else "",
        r"^http \{$": f"http {{\n{places}{''.join(upstreams)}",
        r'^ *# "~\^/\(r\|api/rooms\)/b" .*\n': routes,
        r"^ *listen \[::\].*\n": "",
        r"\blisten 80;": f"listen unix:{folder / 'http'};",
        r"\blisten 443 ssl;": f"listen 127.0.0.1:{port}{' ssl' if tls else ''};",
        r"^ *server 127\.0\.0\.1:8000 .*\n": servers,
        r"\b192\.0\.2\.7\b": unlimited,
        r"/etc/ssl/box\.example\.(?:pem|key)": f"{folder}/box.pem",
    }
    if not tls:
        changes[r"^ *ssl_\w+ .*\n"] = ""
    for pattern, changed in changes.items():
        text, times = re.subn(pattern, changed, text, flags=re.MULTILINE)
        assert times, f"{pattern} is not in deploy/nginx.conf"
    return f"daemon off;\npid {folder / 'pid'};\nerror_log {folder / 'error.log'};\n{text}"


def _servers(ports: Iterable[int]) -> str:
    return "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports)


@contextmanager
def nginx(
    port: int, processes: Servers, unlimited: str = "192.0.2.7", *, tls: bool = False
) -> Iterator[str]:
    """Yield the address of a proxy on this port. Skip the test if nginx is not installed."""
    with tempfile.TemporaryDirectory(prefix="shutbox-nginx-") as place:
        folder = Path(place)
        text = configuration(port, processes, folder, unlimited, tls=tls)
        (folder / "nginx.conf").write_text(text)
        if tls:
            certify(folder / "box.pem", "box.example")
        command = [program(), "-p", place, "-c", "nginx.conf", "-e", str(folder / "error.log")]
        url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
            try:
                until_there(url, running, folder / "error.log")
                yield url
            finally:
                running.terminate()


def program() -> str:
    """Return the path of nginx. Skip the test if it is not installed."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        pytest.skip("nginx is not there to stand before a server")
    return found


def trusting() -> ssl.SSLContext:
    """Return a context that accepts such a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def until_there(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until it forwards requests."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert running.poll() is None, log.read_text()
        try:
            httpx2.get(f"{url}/health", timeout=1.0, verify=False)
            return
        except httpx2.HTTPError:
            time.sleep(0.02)
    raise AssertionError(log.read_text())
