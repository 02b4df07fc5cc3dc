"""A real nginx in front of a server, configured as in docs/hosting.md but without https."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from serving import PATIENCE, ROOT

_HERE = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""The temporary folders of nginx, which are system folders unless set."""


def documented() -> list[str]:
    """Return the configuration blocks for nginx in the docs."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    return re.findall(r"^```nginx\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def configuration(port: int, processes: Sequence[int], folder: Path, unlimited: str) -> str:
    """Return the docs' configuration for these ports, with one address exempt from limits."""
    outside, site, _ = documented()
    site = site.replace("192.0.2.7", unlimited)
    begun, _, https = site.split("\nserver {")
    https = re.sub(r"^ +(ssl_\w+|listen +\[).*\n", "", https, flags=re.MULTILINE)
    https = https.replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    servers = "".join(f"    server 127.0.0.1:{one} max_fails=0;\n" for one in processes)
    places = "".join(f"{what}_temp_path {folder / what};\n" for what in _HERE)
    begun = re.sub(r"^    server .*\n", servers, begun, flags=re.MULTILINE)
    return (
        f"daemon off;\nmaster_process on;\npid {folder / 'pid'};\n"
        f"error_log {folder / 'error.log'};\n"
        f"{'user root;' if os.geteuid() == 0 else ''}\n{outside}"
        f"http {{\naccess_log off;\n{places}{begun}\nserver {{{https}}}\n"
    )


@contextmanager
def nginx(port: int, processes: Sequence[int], unlimited: str = "192.0.2.7") -> Iterator[str]:
    """Yield the address of a proxy on this port. Skip the test if nginx is not installed."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("nginx is not there to stand before a server")
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="shutbox-nginx-") as place:
        folder = Path(place)
        (folder / "nginx.conf").write_text(configuration(port, processes, folder, unlimited))
        command = [program, "-p", place, "-c", "nginx.conf", "-e", str(folder / "error.log")]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
            try:
                until_there(url, running, folder / "error.log")
                yield url
            finally:
                running.terminate()


def until_there(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until it forwards requests."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert running.poll() is None, log.read_text()
        try:
            httpx2.get(f"{url}/health", timeout=1.0)
            return
        except httpx2.HTTPError:
            time.sleep(0.02)
    raise AssertionError(log.read_text())
