"""What can be counted and measured of a server, for Prometheus.

Here is what is counted as it happens. What can be read at any time is read when somebody asks for
the numbers: `server/gauges.py`.
"""

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
from prometheus_client.registry import Collector

from shutbox.errors import ShutboxError
from shutbox.web.errors import Full

# When a number was new is of no use here, and half of the text.
disable_created_metrics()  # type: ignore[no-untyped-call]

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The numbers of one process."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        self.requests = Counter(
            "shutbox_requests_total",
            "Requests, by the pattern of their address",
            ["method", "route", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "shutbox_request_seconds",
            "Time to an answer, by the pattern of the address",
            ["route"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self.events = Counter("shutbox_events_total", "Events of games kept", registry=registry)
        self._refusals = Counter(
            "shutbox_refusals_total", "Requests refused, by code", ["code"], registry=registry
        )
        self._limits = Counter(
            "shutbox_limits_reached_total",
            "Requests refused since a rate or another limit was reached, by its name",
            ["rule"],
            registry=registry,
        )
        self._together = Histogram(
            "shutbox_committed_together",
            "What one commit keeps",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
            registry=registry,
        )
        self._commits = Histogram(
            "shutbox_commit_seconds", "Time of a commit", buckets=_BUCKETS, registry=registry
        )
        self._failures = Counter(
            "shutbox_commit_failures_total", "Commits that kept nothing", registry=registry
        )
        self.worked = Histogram(
            "shutbox_work_seconds",
            "Time that work took from its turn on",
            buckets=_BUCKETS,
            registry=registry,
        )
        self.lag = Histogram(
            "shutbox_loop_lag_seconds",
            "How late a timer comes, while everybody else waits, too",
            buckets=_BUCKETS,
            registry=registry,
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

    def add(self, gauges: Collector) -> None:
        """Have these read, too, when somebody asks."""
        self._registry.register(gauges)

    def text(self) -> bytes:
        """All of them, as Prometheus reads them. Takes milliseconds: ask in a thread."""
        return generate_latest(self._registry)
