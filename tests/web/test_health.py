"""The host's checks of a server: liveness and readiness."""

import threading

import httpx2
import pytest
from sqlalchemy.exc import OperationalError

from people import Person
from serving import PATIENCE
from shutbox.web.server import services
from shutbox.web.server.services import Server


def asked(client: httpx2.Client, path: str) -> tuple[int, str]:
    response = client.get(path)
    return response.status_code, response.text


# Alive, and ready


def test_a_server_that_serves_says_so(ann: Person) -> None:
    assert asked(ann.client, "/health") == (200, "alive\n")
    assert asked(ann.client, "/ready") == (200, "ready\n")


@pytest.mark.parametrize("silent", [False, True], ids=["refuses", "says nothing"])
def test_a_server_whose_database_does_not_answer_is_not_ready(
    silent: bool, ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = threading.Event()

    def answers(query: object) -> object:
        if silent:
            return said.wait(PATIENCE)
        raise OperationalError("SELECT 1", {}, Exception("the disk is gone"))

    monkeypatch.setattr(services, "_PATIENCE", 0.05)
    with monkeypatch.context() as patch:
        patch.setattr(server.database, "rows", answers)
        assert asked(ann.client, "/ready") == (503, "no database\n")
        assert asked(ann.client, "/health") == (200, "alive\n")
    said.set()
    monkeypatch.setattr(services, "_PATIENCE", PATIENCE)
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_that_is_stopping_is_not_ready(ann: Person, server: Server) -> None:
    server.close_streams()
    assert asked(ann.client, "/ready") == (503, "closing\n")
    assert asked(ann.client, "/health") == (200, "alive\n")
