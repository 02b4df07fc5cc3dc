"""What is read of a server at the moment when somebody asks for its numbers."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from resource import getpagesize

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shutbox.web.compute.pool import Pool
from shutbox.web.live.repository import Rooms
from shutbox.web.storage.group_commit import GroupCommit
from shutbox.web.storage.log import StoredLog


class Gauges(Collector):
    """Those of one server. They are read in a thread: each is one look at what is there."""

    def __init__(self, rooms: Rooms, pool: Pool, log: StoredLog, writer: GroupCommit) -> None:
        self._rooms = rooms
        self._pool = pool
        self._log = log
        self._writer = writer
        self.sizes: dict[str, int] = {}
        """The bytes of the database, by part, as somebody has looked last."""

    def collect(self) -> Iterator[Metric]:
        """All of them."""
        yield _gauge("rooms", "Rooms in memory", len(self._rooms.lives))
        yield _gauge("damaged_rooms", "Rooms found damaged", len(self._log.damaged))
        yield _gauge("commits_waiting", "What waits to be committed", self._writer.waiting)
        work = _gauge("work_waiting", "Work that waits its turn", label="lane")
        for lane, number in self._pool.waiting.items():
            work.add_metric([lane], number)
        yield work
        pids = self._pool.pids
        yield _gauge("workers", "Processes that compute", len(pids))
        yield CounterMetricFamily(
            "shutbox_worker_restarts", "Such processes that were replaced", self._pool.restarts
        )
        memory = sum(map(_resident, pids))
        yield _gauge("workers_resident_memory_bytes", "Memory of these processes", memory)
        size = _gauge("database_bytes", "Size of the database", label="part")
        for part, number in self.sizes.items():
            size.add_metric([part], number)
        yield size


def _gauge(name: str, about: str, value: float | None = None, label: str = "") -> GaugeMetricFamily:
    return GaugeMetricFamily(f"shutbox_{name}", about, value, [label] if label else None)


def _resident(pid: int) -> int:
    """The bytes of memory of a process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * getpagesize()
    return 0
