"""A push service on this machine, and a browser that is subscribed to it (RFC 8291 and 8292).

The browser reads messages and checks signatures by the libraries that the server sends with.
"""

import json
import ssl
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import time

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from shutbox.web.push import Subscription


def coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A browser with the keys of its subscription."""

    def __init__(self, auth: str = "BTBZMqHH6r4Tts7J_aSIgg") -> None:
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), auth

    def subscribed(self, endpoint: str) -> Subscription:
        point = serialization.PublicFormat.UncompressedPoint
        key = self.private.public_key().public_bytes(serialization.Encoding.X962, point)
        return Subscription(endpoint, coded(key), self.auth)

    def reads(self, message: bytes) -> bytes:
        """Decrypt a message. Raises ECEException."""
        found: bytes = http_ece.decrypt(
            message, private_key=self.private, auth_secret=decoded(self.auth), version="aes128gcm"
        )
        return found


def check_signature(header: str, key: str, audience: str) -> None:
    """Check that a VAPID header is signed by the server's key, for a service and a day at most."""
    assert Vapid02.verify(header)
    said = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert said["k"] == key
    claims = json.loads(decoded(said["t"].split(".")[1]))
    assert claims["aud"] == audience
    assert time() < claims["exp"] < time() + 24 * 3600
    assert claims["sub"].startswith(("https://", "http://", "mailto:"))


class PushService:
    """A push service: `received` has the path, headers and body of each message."""

    def __init__(self, folder: Path) -> None:
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        self.location = ""
        self.certificate = folder / "push.pem"
        certify(self.certificate, "localhost")
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.received.append((self.path, dict(self.headers), body))
                self.send_response(service.status)
                if service.location:
                    self.send_header("Location", service.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.host = f"localhost:{self.server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"https://{self.host}"

    @property
    def tls(self) -> ssl.SSLContext:
        """What a client needs to trust this service."""
        return ssl.create_default_context(cafile=str(self.certificate))


def certify(file: Path, host: str) -> None:
    """Write a key and a certificate for a host, which nobody else has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + made.public_bytes(pem))


@contextmanager
def serving(folder: Path) -> Iterator[PushService]:
    """Run a push service in a thread."""
    service = PushService(folder)
    thread = threading.Thread(target=service.server.serve_forever)
    thread.start()
    try:
        yield service
    finally:
        service.server.shutdown()
        service.server.server_close()
        thread.join()
