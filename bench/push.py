"""How long players wait while a server sends 10,000 messages by Web Push at once.

The turn of one subscribed player begins, and the server sends 10,000 messages instead of one to a
push service of this machine. The same server without messages is the baseline.
"""

import argparse
import multiprocessing
import ssl
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from bench.tables import share
from people import Person
from push_service import Browser, serving
from serving import Served

MESSAGES = 10_000
PLAYS = 400
PAUSE = 0.02
"""Seconds between two actions of the player who is timed."""


def offer(folder: Path, line: Connection) -> None:
    """Run a push service and send its host. Send the number of messages for each True received.

    Stop at the first False.
    """
    with serving(folder) as service:
        line.send(service.host)
        while line.recv():
            line.send(len(service.received))


def serve(messages: int, certificate: str, arguments: list[str]) -> None:
    """Run `shutbox serve` so that it sends a number of messages where it would send one."""
    import asyncio

    from shutbox.cli.main import main
    from shutbox.web import push
    from shutbox.web.rooms.ports import Subscription
    from shutbox.web.server import services

    class Many(push.WebPush):
        async def send(self, found: Subscription, about: dict[str, str], topic: str) -> bool:
            self.tls = ssl.create_default_context(cafile=certificate)
            one = super().send
            await asyncio.gather(*(one(found, about, topic) for _ in range(messages)))
            return True

    push.TurnNotices.seconds = 0.0
    vars(services)["WebPush"] = Many
    sys.exit(main(arguments))


def measure(folder: Path, messages: int, host: str, line: Connection) -> tuple[list[float], float]:
    """Return the seconds of each view and action, and the messages delivered each second."""
    program = ("-m", "bench.push", "--serve", str(messages), str(folder / "push.pem"))
    database = f"sqlite:///{folder / f'{messages}.db'}"
    line.send(True)
    before = line.recv()
    with (
        Served(folder, "--push", host, database=database, program=program) as served,
        httpx2.Client(base_url=served.url) as first,
        httpx2.Client(base_url=served.url) as second,
    ):
        ann, bob = Person(first), Person(second)
        opened = ann.open(
            game="classic",
            seats=[{"who": "me", "name": "Ann"}, {"who": "link"}],
            format="rounds=1,order=seats",
        )
        room, link = opened["view"]["room"], opened["you"]["links"]["join"]
        assert bob.enter(room, link.partition("#")[2], "Bob").status_code == 200
        found = Browser().subscribed(f"https://{host}/bob")
        body = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
        assert bob.post("/api/push", **body).status_code == 200
        alone = ann.open(game="classic")["view"]["room"]
        table = ann.table(room)
        while table["seat"] == 0:
            table = ann.step(room, table)
        start = time.perf_counter()
        times = []
        for _ in range(PLAYS):
            before_action = time.perf_counter()
            table = ann.step(alone, ann.table(alone))
            times.append(time.perf_counter() - before_action)
            if table["does"] == "over":
                alone = ann.open(game="classic")["view"]["room"]
            time.sleep(PAUSE)
        seconds = time.perf_counter() - start
        line.send(True)
        return times, (line.recv() - before) / seconds


def main() -> None:
    """Print the times of a player's actions with and without messages."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        line, other = multiprocessing.Pipe()
        service = multiprocessing.get_context("spawn").Process(target=offer, args=(folder, other))
        service.start()
        host = line.recv()
        median = 0.0
        for messages in (0, MESSAGES):
            times, rate = measure(folder, messages, host, line)
            here = share(times, 0.5)
            median = median or here
            print(
                f"{messages:6} messages, {rate:4.0f} a second: view and action "
                f"p50 {1000 * here:5.1f} ms ({here / median:.1f} times), "
                f"p99 {1000 * share(times, 0.99):5.1f} ms, longest {1000 * max(times):5.1f} ms"
            )
        line.send(False)
        service.join()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.push", description=__doc__)
    parser.add_argument("--serve", nargs=2, metavar=("MESSAGES", "FILE"), help=argparse.SUPPRESS)
    asked, rest = parser.parse_known_args()
    if asked.serve:
        serve(int(asked.serve[0]), asked.serve[1], ["serve", *rest])
    else:
        main()
