"""Values as compact JSON that is the same for ever: what is kept or hashed is written by this."""

import json
from typing import Any


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_fields).encode
"""A value as JSON; a dataclass with slots is an object of its fields, in their order."""
