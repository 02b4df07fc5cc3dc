"""Links as mail programs, messengers and people leave them: their keys, and where they lead."""

import re
from urllib.parse import unquote

KEY_LENGTH, DEVICE_KEY_LENGTH = 22, 24  # characters of the keys of seats, and of device links
_BEFORE_KEY = r"(?:/r/[a-z0-9]{1,16}(?![a-z0-9])|/games/take|#)"
_PLACE = re.compile(rf".*?(?:{_BEFORE_KEY}|://(?!.*{_BEFORE_KEY}).*)", re.DOTALL)
_ENCODED = re.compile(
    r"(/r/[a-z0-9]{1,16}|/games/take)(?:[^\w/-]|/(?=[\w-]{22}))(.*)|/challenge\?.+"
)


def find_key(text: str, length: int = KEY_LENGTH) -> str:
    """Return the key in a link, as mail programs and messengers change links; "" without one.

    What follows the key is ignored. A link that was cut off has a key of fewer characters.

    >>> find_key("https://box.example/r/kq3v9x2m%2523AbCdEfGhIjKlMnOpQrStUv%3E.")
    'AbCdEfGhIjKlMnOpQrStUv'
    """
    plain = re.sub("=?\r?\n|[\xad\u200b-\u200f\u2060]", "", unquote(unquote(text)).strip())
    after = _PLACE.sub("", plain, count=1)
    found = re.search(rf"[\w-]{{{length}}}", after, re.ASCII) or re.search(
        r"[\w-]+", after, re.ASCII
    )
    return found[0] if found else ""


def mended(path: str) -> str:
    """Return the address of a link in whose `path` a mail program has encoded the sign # or ?.

    >>> mended("/r/kq3v9x2m%23AbCdEfGhIjKlMnOpQrStUv"), mended("/r/kq3v9x2m/nothing")
    ('/r/kq3v9x2m#AbCdEfGhIjKlMnOpQrStUv', '')
    """
    found = _ENCODED.fullmatch(path := unquote(path))
    return "" if not found else f"{found[1]}#{found[2]}" if found[1] else path
