"""What can be counted and measured of a server, for Prometheus.

Most is counted as it happens. What can be read at any time is read when somebody asks for the
numbers, in a thread: each is one look at what is there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from resource import getpagesize

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shutbox.errors import ShutboxError
from shutbox.web.errors import Full

# When a number was new is of no use here, and half of the text.
disable_created_metrics()  # type: ignore[no-untyped-call]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_TOGETHER = (1, 2, 4, 8, 16, 32, 64, 128, 256)

_READ = {
    "rooms": ("Rooms in memory", ""),
    "damaged_rooms": ("Rooms found damaged", ""),
    "commits_waiting": ("What waits to be committed", ""),
    "work_waiting": ("Work that waits its turn", "lane"),
    "workers": ("Processes that compute", ""),
    "worker_restarts": ("Such processes that were replaced", ""),
    "workers_resident_memory_bytes": ("Memory of these processes", ""),
    "database_bytes": ("Size of the database", "part"),
}
"""What can be read at any time: what it is, and the label by which there are several."""
Numbers = Mapping[str, float | Mapping[str, int]]
"""Those, by their names; of several each by its label."""


class Metrics:
    """The numbers of one process."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)

        def count(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"shutbox_{name}_total", about, labels, registry=registry)

        def measure(
            name: str, about: str, *labels: str, buckets: Sequence[float] = _SECONDS
        ) -> Histogram:
            return Histogram(f"shutbox_{name}", about, labels, buckets=buckets, registry=registry)

        self.requests = count(
            "requests", "Requests, by the pattern of their address", "method", "route", "status"
        )
        self.seconds = measure(
            "request_seconds", "Time to an answer, by the pattern of the address", "route"
        )
        self.events = count("events", "Events of games kept")
        self._refusals = count("refusals", "Requests refused, by code", "code")
        self._limits = count(
            "limits_reached",
            "Requests refused since a rate or another limit was reached, by its name",
            "rule",
        )
        self._together = measure("committed_together", "What one commit keeps", buckets=_TOGETHER)
        self._commits = measure("commit_seconds", "Time of a commit")
        self._failures = count("commit_failures", "Commits that kept nothing")
        self.worked = measure("work_seconds", "Time that work took from its turn on")
        self.lag = measure(
            "loop_lag_seconds", "How late a timer comes, while everybody else waits, too"
        )
        self.listeners = Gauge("shutbox_listeners", "Streams that are open", registry=registry)
        self.ready = Gauge(
            "shutbox_ready", "Whether it can serve, as /ready says", registry=registry
        )

    def refused(self, error: ShutboxError) -> None:
        """Something was refused."""
        self._refusals.labels(error.code).inc()
        if isinstance(error, Full):
            self._limits.labels(error.rule).inc()

    def committed(self, together: int, seconds: float) -> None:
        """So many batches were kept by one commit."""
        self._together.observe(together)
        self._commits.observe(seconds)

    def not_committed(self) -> None:
        """A commit failed."""
        self._failures.inc()

    def add(self, read: Callable[[], Numbers]) -> None:
        """Have these read, too, when somebody asks."""
        self._registry.register(_Read(read))

    def text(self) -> bytes:
        """All of them, as Prometheus reads them. Takes milliseconds: ask in a thread."""
        return generate_latest(self._registry)


class _Read(Collector):
    def __init__(self, read: Callable[[], Numbers]) -> None:
        self._read = read

    def collect(self) -> Iterator[Metric]:
        for name, found in self._read().items():
            about, label = _READ[name]
            kind = CounterMetricFamily if name == "worker_restarts" else GaugeMetricFamily
            metric = kind(f"shutbox_{name}", about, labels=[label] if label else None)
            several = found if isinstance(found, Mapping) else {"": found}
            for value, number in several.items():
                metric.add_metric([value] if label else [], number)
            yield metric


def resident_memory(pids: Sequence[int]) -> int:
    """Return the bytes of memory of these processes, as far as the system says it."""
    pages = 0
    for pid in pids:
        with suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * getpagesize()
