"""Times as hosts write them."""

import re

from shutbox.web.errors import BadRequest

DAY = 86_400.0
_UNITS = {"m": 60.0, "h": 3600.0, "d": DAY}


def seconds_of(text: str) -> float:
    """The seconds of a time as hosts write it. Raises BadRequest.

    >>> seconds_of("90m"), seconds_of("12h"), seconds_of("400d")
    (5400.0, 43200.0, 34560000.0)
    """
    found = re.fullmatch("([0-9]{1,5})([mhd])", text, re.ASCII)
    if found is None:
        raise BadRequest(
            "{text!r} is no time such as 90m, 12h or 400d, of 5 digits at most", text=text[:20]
        )
    return int(found[1]) * _UNITS[found[2]]
