"""What the server writes about itself: one JSON object a line, without secrets.

Requests are logged by the pattern of their address, never by the address, which may have the id of
a room in it; keys and cookies are in no address and in no line.
"""

import json
import logging

import structlog

log: structlog.stdlib.BoundLogger = structlog.get_logger("shutbox")


def set_up(*, as_json: bool) -> None:
    """Write lines for programs; or for a person at a terminal, and then only what is wrong."""
    logging.basicConfig(level=logging.WARNING, handlers=[_Forward()], force=True)
    first: list[structlog.types.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    if as_json:
        structlog.configure(
            processors=[*first, structlog.processors.JSONRenderer(_encoded)],
            logger_factory=structlog.BytesLoggerFactory(),
            wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
            cache_logger_on_first_use=True,
        )
    else:
        structlog.configure(
            processors=[*first, structlog.dev.ConsoleRenderer(colors=False)],
            logger_factory=structlog.PrintLoggerFactory(),
            wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
            cache_logger_on_first_use=True,
        )


def one_line(error: Exception) -> str:
    """What an error says, or the database below it, in one line."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


class _Forward(logging.Handler):
    """Hands on what libraries log in their own way."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is UnicodeDecodeError:
            return  # a client that sends no text on its socket is cut off, which is all there is
        about = {"exc_info": record.exc_info} if record.exc_info else {}
        log.log(record.levelno, record.getMessage(), library=record.name, **about)


def _encoded(said: object, **_: object) -> bytes:
    return json.dumps(said, default=str, ensure_ascii=False).encode()
