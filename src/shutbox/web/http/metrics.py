"""What can be counted and measured of a server, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The numbers of one process."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
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
        self.refusals = Counter(
            "shutbox_refusals_total", "Requests refused, by code", ["code"], registry=registry
        )
        self.committed = Histogram(
            "shutbox_committed_together",
            "What one commit keeps",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
            registry=registry,
        )
        self.rooms = Gauge("shutbox_rooms", "Rooms in memory", registry=registry)
        self.waiting = Gauge("shutbox_work_waiting", "Work that waits its turn", registry=registry)
        self.worked = Histogram(
            "shutbox_work_seconds",
            "Time that work took from its turn on",
            buckets=_BUCKETS,
            registry=registry,
        )
        self.listeners = Gauge("shutbox_listeners", "Streams that are open", registry=registry)

    def text(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self._registry)
