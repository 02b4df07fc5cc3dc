"""The server's log: one JSON object a line, without secrets.

Requests are logged by their route, never by their path, which may contain the id of a room. Keys
and cookies never appear in paths or log entries.
"""

import json
import logging

import structlog
from structlog import BytesLoggerFactory, PrintLoggerFactory
from structlog.dev import ConsoleRenderer
from structlog.processors import JSONRenderer, TimeStamper, add_log_level, format_exc_info
from structlog.types import Processor

log: structlog.stdlib.BoundLogger = structlog.get_logger("shutbox")


def set_up(*, as_json: bool) -> None:
    """Configure logging: JSON from level INFO, or plain text for a terminal from WARNING."""
    logging.basicConfig(level=logging.WARNING, handlers=[_Forward()], force=True)
    level = logging.INFO if as_json else logging.WARNING
    renderer: Processor = JSONRenderer(_encoded) if as_json else ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[add_log_level, TimeStamper(fmt="iso", utc=True), format_exc_info, renderer],
        logger_factory=BytesLoggerFactory() if as_json else PrintLoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


class _Forward(logging.Handler):
    """A handler that forwards the log entries of libraries to our log."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is UnicodeDecodeError:
            return  # a client sent invalid text on its WebSocket and is cut off: no need to log it
        about = {"exc_info": record.exc_info} if record.exc_info else {}
        log.log(record.levelno, record.getMessage(), library=record.name, **about)


def _encoded(entry: object, **_: object) -> bytes:
    return json.dumps(entry, default=str, ensure_ascii=False).encode()
