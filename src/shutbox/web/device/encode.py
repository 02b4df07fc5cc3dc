"""Values as JSON, as the API of a server writes them: an object of the fields of each."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from shutbox.web.rooms.room import LogLine
from shutbox.web.rooms.view import View


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_fields).encode
"""A value as JSON."""


class DeviceMessages:
    """How the stream of a table says things; see `api/messages.py`, which says the same."""

    def event(self, event: LogLine, view: View, *, you_changed: bool) -> bytes:
        """An event, and where things stand after it."""
        happened = {name: value for name, value in _fields(event).items() if name != "number"}
        about = {"happened": happened, "view": view, "you_changed": you_changed}
        return _message("event", number=event.number, **about)

    def picture(self, number: int, view: View, log: Sequence[LogLine]) -> bytes:
        """Everything, where the gap is too long."""
        return _message("picture", number=number, view=view, log=log)

    def watching(self, number: int) -> bytes:
        """How many look on: nobody."""
        return _message("watching", watching=number)


def _message(kind: str, **about: Any) -> bytes:
    return encode({"type": kind, **about}).encode()
