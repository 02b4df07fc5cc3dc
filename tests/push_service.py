"""A push service on this machine, and a browser that is subscribed to it (RFC 8291 and 8292).

It decrypts messages and checks signatures with code of its own, so that it can find mistakes of the
sender's libraries.
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
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from shutbox.web.push import Subscription

_POINT = serialization.PublicFormat.UncompressedPoint


def coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, _POINT)


class Browser:
    """A browser with the keys of its subscription."""

    def __init__(self, private: str = "", auth: str = "BTBZMqHH6r4Tts7J_aSIgg") -> None:
        curve = ec.SECP256R1()
        number = int.from_bytes(decoded(private), "big")
        self.private = (
            ec.derive_private_key(number, curve) if private else ec.generate_private_key(curve)
        )
        self.auth = decoded(auth)

    @property
    def key(self) -> str:
        return coded(_point(self.private.public_key()))

    def subscribed(self, endpoint: str) -> Subscription:
        return Subscription(endpoint, self.key, coded(self.auth))

    def reads(self, message: bytes) -> bytes:
        """Decrypt a message as RFC 8291, section 3.4, says. Raises InvalidTag."""
        salt, size, length = message[:16], int.from_bytes(message[16:20], "big"), message[20]
        sender, sealed = message[21 : 21 + length], message[21 + length :]
        assert len(sealed) <= size  # one record
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        mine = _point(self.private.public_key())
        shared = self.private.exchange(ec.ECDH(), public)

        def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
            return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

        secret = derived(self.auth, shared, b"WebPush: info\0" + mine + sender, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2")  # the last record
        return padded[:-1]


def check_signature(header: str, key: str, audience: str) -> dict[str, Any]:
    """Check a VAPID header against the server's public key, and return its claims."""
    kind, _, rest = header.partition(" ")
    said = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert kind == "vapid"
    assert said["k"] == key
    head, body, signature = said["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    found = decoded(signature)
    numbers = (int.from_bytes(found[:32], "big"), int.from_bytes(found[32:], "big"))
    der = utils.encode_dss_signature(*numbers)
    public.verify(der, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    claims: dict[str, Any] = json.loads(decoded(body))
    assert claims["aud"] == audience
    assert time() < claims["exp"] < time() + 24 * 3600
    assert claims["sub"].startswith(("https://", "http://", "mailto:"))
    return claims


class PushService:
    """A push service: `received` has the path, headers and body of each message."""

    def __init__(self, folder: Path) -> None:
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        self.location = ""
        self.certificate = folder / "push.pem"
        _certify(self.certificate)
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


def _certify(file: Path) -> None:
    """Write a key and a certificate for localhost."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
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
