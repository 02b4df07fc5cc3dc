"""The metrics of a server, for Prometheus.

Events are counted as they happen; current values are read in a thread when they are requested.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
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

from shutbox.errors import ShutboxError
from shutbox.web.errors import Full

# The creation time of each metric is useless here, and half of the text.
disable_created_metrics()  # type: ignore[no-untyped-call]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_TOGETHER = (1, 2, 4, 8, 16, 32, 64, 128, 256)

_READ = {
    "rooms": ("Rooms in memory", ""),
    "damaged_rooms": ("Rooms found damaged", ""),
    "commits_waiting": ("What waits to be committed", ""),
    "work_waiting": ("Work that waits its turn", "lane"),
    "workers": ("Processes that compute", ""),
    "workers_resident_memory_bytes": ("Memory of these processes", ""),
    "database_bytes": ("Size of the database", "part"),
}
"""Metrics that are read on request, by name: the help text, and the name of the label, if any."""
Numbers = Mapping[str, float | Mapping[str, int]]
"""The values of these metrics by name; those with a label as a mapping by its value."""


class Metrics:
    """The metrics of one process; `read` is called, in a thread, for those of `_READ`."""

    def __init__(self, read: Callable[[], Numbers]) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)

        count = partial(Counter, namespace="shutbox", registry=registry)
        show = partial(Gauge, namespace="shutbox", registry=registry)
        measure = partial(Histogram, namespace="shutbox", registry=registry, buckets=_SECONDS)
        self.requests = count(
            "requests", "Requests, by the pattern of their address", ("method", "route", "status")
        )
        self.seconds = measure(
            "request_seconds", "Time to an answer, by the pattern of the address", ("route",)
        )
        self._pushes = count(
            "pushes", "Messages to push services, by what became of them", ("outcome",)
        )
        for outcome in ("sent", "gone", "failed", "dropped"):
            self._pushes.labels(outcome)
        self.events = count("events", "Events of games kept")
        self._refusals = count("refusals", "Requests refused, by code", ("code",))
        self._limits = count(
            "limits_reached",
            "Requests refused since a rate or another limit was reached, by its name",
            ("rule",),
        )
        self.together = measure("committed_together", "What one commit keeps", buckets=_TOGETHER)
        self.commits = measure("commit_seconds", "Time of a commit")
        self.failures = count("commit_failures", "Commits that kept nothing")
        self.worked = measure("work_seconds", "Time that work took from its turn on")
        self.lag = measure(
            "loop_lag_seconds", "How late a timer comes, while everybody else waits, too"
        )
        self.listeners = show("listeners", "Streams that are open")
        self.restarts = count("worker_restarts", "Processes that compute that were replaced")
        self.ready = show("ready", "Whether it can serve, as /ready says")
        self._read = read
        self._gauges = {
            name: show(name, about, [label] if label else [])
            for name, (about, label) in _READ.items()
        }

    def refused(self, error: ShutboxError) -> None:
        """Count a refusal, and the limit that it reached, if any."""
        self._refusals.labels(error.code).inc()
        if isinstance(error, Full):
            self._limits.labels(error.rule).inc()

    def pushed(self, outcome: str) -> None:
        """Count a message to a push service: "sent", "gone", "failed" or "dropped"."""
        self._pushes.labels(outcome).inc()

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus. Takes milliseconds: use a thread."""
        for name, found in self._read().items():
            gauge = self._gauges[name]
            if isinstance(found, Mapping):
                for value, number in found.items():
                    gauge.labels(value).set(number)
            else:
                gauge.set(found)
        return generate_latest(self._registry)


def resident_memory(pids: Sequence[int]) -> int:
    """Return the total resident memory of processes in bytes, except any that cannot be read."""
    pages = 0
    for pid in pids:
        with suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * getpagesize()
