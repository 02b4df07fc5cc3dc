"""The host's checks of a server: liveness and readiness."""

import threading
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError

from people import Person
from serving import PATIENCE
from shutbox.web.server import services
from shutbox.web.server.services import Server


def test_a_server_whose_database_does_not_answer_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(ann, 200, "ready")
    refuses = OperationalError("SELECT 1", {}, Exception("the disk is gone"))
    said = threading.Event()
    for rows in (Mock(side_effect=refuses), lambda query: said.wait(PATIENCE)):
        with monkeypatch.context() as patch:
            patch.setattr(services, "_PATIENCE", 0.05)
            patch.setattr(server.database, "rows", rows)
            check(ann, 503, "no database")
    said.set()
    monkeypatch.setattr(services, "_PATIENCE", PATIENCE)
    check(ann, 200, "ready")


def check(ann: Person, status: int, says: str) -> None:
    """Check what a server says of its readiness; it is alive in any case."""
    for path, wanted in (("/ready", (status, f"{says}\n")), ("/health", (200, "alive\n"))):
        answer = ann.get(path)
        assert (answer.status_code, answer.text) == wanted


def test_a_server_that_is_stopping_is_not_ready(ann: Person, server: Server) -> None:
    server.close_streams()
    check(ann, 503, "closing")
