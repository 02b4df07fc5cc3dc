"""What the server writes about itself: one JSON object a line, without secrets.

Requests are logged by the pattern of their address, never by the address, which may have the id of
a room in it; keys and cookies are in no address and in no line.
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
    """Write lines for programs; or for a person at a terminal, and then only what is wrong."""
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
    """Hands on what libraries log in their own way."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is UnicodeDecodeError:
            return  # a client that sends no text on its socket is cut off, which is all there is
        about = {"exc_info": record.exc_info} if record.exc_info else {}
        log.log(record.levelno, record.getMessage(), library=record.name, **about)


def _encoded(said: object, **_: object) -> bytes:
    return json.dumps(said, default=str, ensure_ascii=False).encode()
