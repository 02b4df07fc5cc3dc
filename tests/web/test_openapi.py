"""The OpenAPI document as tools of others read it, and a client that one of them generates."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import ROOT, Served

pytestmark = pytest.mark.slow
TOOLS = ROOT / "build" / "openapi" / "bin"
TEXT_BODIES = {"POST /api/records", "POST /api/review"}
"""Their bodies are plain text, which the generator leaves out of its client."""
PLAYER = '''
"""Open a table, let a computer take the other seat, play to the end, and ask how it was."""
import sys
from time import sleep
from uuid import uuid4

from client import AuthenticatedClient, Client
from client.api.default import act, open_room, review, room, stand_in, verdict
from client.models import Act, ActDo, NewRoom, NewSeat, StandIn


def done(answer):
    assert answer.status_code < 300, answer
    return answer.parsed


def action():
    return uuid4().hex


address = sys.argv[1]
new = NewRoom(action=action(), seats=[NewSeat(who="me", name="Ann"), NewSeat(who="link")])
opened = done(open_room.sync_detailed(client=Client(address), body=new))
id = opened.view.room
keys = f"{opened.keys['0']},{opened.keys['host']}"
client = AuthenticatedClient(address, token=keys)
here = done(stand_in.sync_detailed(id, client=client, body=StandIn(action=action(), seat=1)))
for _ in range(2000):
    table = here.view.table
    if table.does == "over":
        break
    if table.seat == 0:
        choice = table.offers[0].text if table.does == "choose" else ""
        about = dict(action=action(), game=table.game, version=table.version, seat=0)
        asked = Act(**about, do=ActDo(table.does), choice=choice)
        here = done(act.sync_detailed(id, client=client, body=asked))
    else:
        sleep(0.02)
        here = done(room.sync_detailed(id, client=client))
judged = done(verdict.sync_detailed(id, client=client))
steps = done(review.sync_detailed(id, client=client)).steps
pairs = {len(best) for step in steps for move in step.moves for best in move.ranking}
print(here.view.table.does, len(judged.verdict.seats), pairs)
'''


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("openapi")) as served:
        yield served


@pytest.fixture
def document(served: Served, tmp_path: Path) -> Path:
    """The document, as a file."""
    file = tmp_path / "openapi.json"
    file.write_bytes(served.get("/api/openapi.json").content)
    return file


def ran(folder: Path, program: str, *words: str) -> str:
    """What a tool says, in a folder; it says that all is well by its exit code."""
    if not TOOLS.exists():
        pytest.skip("what reads OpenAPI documents is not installed: make tools")
    command = [str(TOOLS / program), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_document_is_valid_with_its_defaults(document: Path) -> None:
    assert ran(document.parent, "openapi-spec-validator", document.name).endswith(": OK\n")


def test_a_generated_client_plays_a_game_to_its_end(document: Path, served: Served) -> None:
    folder = document.parent
    (folder / "settings.json").write_text('{"post_hooks": []}', encoding="utf-8")
    words = ("--path", document.name, "--output-path", "client", "--meta", "none")
    said = ran(folder, "openapi-python-client", "generate", *words, "--config", "settings.json")
    left_out = [line for line in said.splitlines() if line.startswith("WARNING")]
    assert {" ".join(line.split()[2:4]) for line in left_out} == TEXT_BODIES
    (folder / "player.py").write_text(PLAYER, encoding="utf-8")
    assert ran(folder, "python", "player.py", served.url) == "over 2 {2}\n"
