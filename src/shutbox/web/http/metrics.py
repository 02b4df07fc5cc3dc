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
    "commits_waiting": ("Batches waiting to be committed", ""),
    "work_waiting": ("Queued work, by lane", "lane"),
    "workers": ("Worker processes", ""),
    "workers_resident_memory_bytes": ("Resident memory of the worker processes", ""),
    "database_bytes": ("Size of the database, by part", "part"),
}
"""Metrics that are read on request, by name: the help text, and the name of the label, if any."""
Numbers = Mapping[str, float | Mapping[str, int]]
"""The values of these metrics by name; those with a label as a mapping by its value."""


class Metrics:
    """The metrics of one process; `text`, called in a thread, gets current values from `read`."""

    def __init__(self, read: Callable[[], Numbers]) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)

        count = partial(Counter, namespace="shutbox", registry=registry)
        show = partial(Gauge, namespace="shutbox", registry=registry)
        measure = partial(Histogram, namespace="shutbox", registry=registry, buckets=_SECONDS)
        self.requests = count(
            "requests", "Requests, by method, route and status", ("method", "route", "status")
        )
        self.seconds = measure("request_seconds", "Time to answer a request, by route", ("route",))
        self._pushes = count("pushes", "Messages to push services, by outcome", ("outcome",))
        for outcome in ("sent", "gone", "failed", "dropped"):
            self._pushes.labels(outcome)
        self.events = count("events", "Game events stored")
        self._refusals = count("refusals", "Refused requests, by error code", ("code",))
        self._limits = count(
            "limits_reached",
            "Requests refused because a rate or another limit was reached, by limit",
            ("rule",),
        )
        self.together = measure("committed_together", "Batches in one commit", buckets=_TOGETHER)
        self.commits = measure("commit_seconds", "Duration of a commit")
        self.failures = count("commit_failures", "Failed commits")
        self.worked = measure(
            "work_seconds", "Duration of a piece of work, without its time in the queue"
        )
        self.lag = measure("loop_lag_seconds", "Delay of the event loop, and so of every request")
        self.listeners = show("listeners", "Open streams")
        self.restarts = count("worker_restarts", "Worker processes that were replaced")
        self.ready = show("ready", "Whether the server is ready, as /ready reports")
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
