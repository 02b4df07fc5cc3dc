"""The dangers that a room survives, such as a lost reply, a double click or a clock set back.

Each row of `dangers.txt` names a danger, and tells it in steps. A step is a person and an action of
the API by its name, or a fault. Rows name actions, codes and what is shown, but no addresses,
classes or stored words. So only the verbs in `steps.py` change when the server is rebuilt.

    ann open seats=me/Ann,link    Ann opens a room. Seats are who/name.
    bob enter 1 name=Bob          Bob follows the link of seat 1, or `join`, `watch` or `host`.
    ann throw                     So do choose, take-back and correct; `old`: by what Ann saw last.
    bob leave 1 !not-allowed      The action is refused with this code.
    ann again                     Ann sends her last request again, as after a lost reply.
    bob repeats ann               Bob sends the last request of Ann; ann-enter: her first to enter.
    ann renew 1 twice             Ann presses twice. It happens once, also if memory was lost.
    ann throw & bob leave 1       Both arrive before any of them is done, in this order.
    ann sees view.phase playing   The room shows this to Ann.
    ann got coach []              The reply to Ann's last request has this.
    ann counts 4                  The room has had so many events.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from in_process import client_of, server_of, settings_in
from shutbox.web import limits
from shutbox.web.server import background
from shutbox.web.server.services import Server
from web.steps import World

REAL = "game=two-dice format=rounds=1,order=seats dice=hand"
DANGERS = Path(__file__).with_name("dangers.txt").read_text(encoding="utf-8")
ROWS = {
    danger: [step for line in steps.splitlines() for step in line.strip().split("; ") if step]
    for danger, steps in re.findall(
        r"^([^#\s].*)\n((?:    .*\n)+)", DANGERS.replace("{real}", REAL), re.MULTILINE
    )
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, TestClient]]:
    with pytest.MonkeyPatch.context() as patch:
        # What a server does by itself every now and then, each row does when it says so.
        patch.setattr(background, "_ORDERS_SECONDS", 3600.0)
        patch.setattr(background, "_ENVELOPE_SECONDS", 3600.0)
        patch.setattr(limits, "ALIVE_SECONDS", 3600.0)
        server = server_of(settings_in(tmp_path_factory.mktemp("wisdom")))
        patch.setattr(server.pool, "warm", lambda: None)
        with client_of(server, raise_server_exceptions=False) as first:
            yield server, first


@pytest.fixture
def world(served: tuple[Server, TestClient]) -> Iterator[World]:
    server, first = served
    with pytest.MonkeyPatch.context() as patch:
        yield World(server, first, patch)


@pytest.mark.parametrize("danger", ROWS)
def test_a_danger(danger: str, world: World) -> None:
    world.run(ROWS[danger])
