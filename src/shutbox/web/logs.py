"""The server's log: one JSON object a line, without secrets.

Requests are logged by their route, never by their path, which may contain the id of a room. Keys
and cookies never appear in paths or log entries.
"""

import json
import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any


class _Log(logging.LoggerAdapter[logging.Logger]):
    """A logger that takes the facts about an event as keywords."""

    def process(
        self, msg: str, kwargs: MutableMapping[str, Any]
    ) -> tuple[str, MutableMapping[str, Any]]:
        error = kwargs.pop("exc_info", None)
        text = " ".join((msg, *(f"{name}={value!r}" for name, value in kwargs.items())))
        return text, {"exc_info": error, "extra": {"entry": {"event": msg, **kwargs}}}


log = _Log(logging.getLogger("shutbox"))


def set_up(*, as_json: bool) -> None:
    """Configure logging: JSON from level INFO, or plain text for a terminal from WARNING."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(_Json() if as_json else logging.Formatter("%(asctime)s %(message)s"))
    handler.addFilter(_is_news)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.INFO if as_json else logging.WARNING)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether an entry is no invalid text on a client's WebSocket, which is cut off for it."""
    return not record.exc_info or record.exc_info[0] is not UnicodeDecodeError


class _Json(logging.Formatter):
    """A formatter for entries as JSON; those of libraries have their name."""

    def format(self, record: logging.LogRecord) -> str:
        by_library = {"event": record.getMessage(), "library": record.name}
        entry = {**getattr(record, "entry", by_library), "level": record.levelname.lower()}
        entry["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat()
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str, ensure_ascii=False)
