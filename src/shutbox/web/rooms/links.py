"""Links as mail programs, messengers and people leave them: their keys, and where they lead."""

import re
from functools import partial
from unicodedata import category
from urllib.parse import quote, unquote, unquote_plus

KEY_LENGTH, DEVICE_KEY_LENGTH = 22, 24  # characters of the keys of seats, and of device links
_PUT_IN = re.compile("=?\r?\n|[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_PAGE = r"/r/[a-z0-9]{1,16}(?![a-z0-9])|/games/take"
_BEFORE_KEY = tuple(re.compile(sign, re.DOTALL) for sign in (_PAGE, "#", "://.*"))
_PROOFPOINT = str.maketrans("_-", "/%")  # how this filter of mail encodes a link in another one
_quoted = partial(quote, safe="/:@[]!$&'()*+,;=")


def plain_link(text: str) -> str:
    r"""Return a link without encoded signs, line breaks and invisible characters.

    >>> plain_link("https://box.example/r/kq3v9x2m%2523Ab\u200bCd=\nEf")
    'https://box.example/r/kq3v9x2m#AbCdEf'
    """
    text = re.sub(r"https?-3A__\S*", lambda found: found[0].translate(_PROOFPOINT), text)
    return _PUT_IN.sub("", unquote(unquote(text)).strip())


def find_page(text: str) -> str:
    """Return the path of the page that a link with a key leads to; "" without one.

    >>> find_page("Ann: join #us at https://box.example/r/kq3v9x2m.")
    '/r/kq3v9x2m'
    """
    found = _BEFORE_KEY[0].search(plain_link(text))
    return found[0] if found else ""


def find_key(text: str, length: int = KEY_LENGTH) -> str:
    """Return the key in a link, as mail programs and messengers change links; "" without one.

    What follows the key is ignored. A link that was cut off has a key of fewer characters.

    >>> find_key("https://box.example/r/kq3v9x2m%2523AbCdEfGhIjKlMnOpQrStUv%3E.")
    'AbCdEfGhIjKlMnOpQrStUv'
    """
    after = plain_link(text)
    for sign in _BEFORE_KEY:
        _, *behind = sign.split(after, maxsplit=1)
        if behind:
            after = behind[0]
            break
    whole = re.search(rf"[\w-]{{{KEY_LENGTH},{length}}}", after, re.ASCII)
    found = whole or re.search(r"[\w-]+", after, re.ASCII)
    return found[0] if found else ""


def find_challenge(text: str) -> str:
    """Return the code of a challenge in its link, in the link's query or by itself; "" without one.

    >>> find_challenge("https://box.example/challenge?dice=%20AbCd=%0D%0AEf."), find_challenge("?")
    ('AbCdEf', '')
    """
    plain = re.sub(r"[\s+]", "", plain_link(text))
    found = re.search(r"[\w-]+", plain.rpartition("dice=")[2], re.ASCII)
    return found[0] if found else ""


def mended(path: str, query: str = "") -> str:
    """Return the address of a page that was asked for in vain, without what others changed in it.

    Programs encode its # or ?, and put signs behind its end. Returns "" if it has none of these.

    >>> mended("/r/kq3v9x2m%23AbCdEfGhIjKlMnOpQrStUv"), mended("/r/kq3v9x2m/nothing")
    ('/r/kq3v9x2m#AbCdEfGhIjKlMnOpQrStUv', '')
    >>> mended("/p/classic(dice=3d6):1.2/3+4)."), mended("/r/kq3v9x2m/review", "game=1%E2%80%A6")
    ('/p/classic(dice=3d6):1.2/3+4', '/r/kq3v9x2m/review?game=1')
    """
    plain, (head, sign, last) = unquote(path), query.rpartition("=")
    if plain.startswith("//"):  # it would lead to another host
        return ""
    if found := re.fullmatch(rf"({_PAGE})/([\w-]{{{KEY_LENGTH}}}.*)", plain, re.DOTALL):
        return f"{found[1]}#{found[2]}"
    if found := re.fullmatch("([^#?]*)([#?].+)", plain, re.DOTALL):
        return _quoted(found[1]) + found[2]
    if found := re.fullmatch(rf"({_PAGE})[^\w/-].*", plain, re.DOTALL):
        return found[1]
    if query:
        value = unquote_plus(last)
        return f"{_quoted(path)}?{head}{sign}{quote(cut)}" if (cut := _cut(value)) != value else ""
    cut = _cut(plain)
    is_folder = plain == f"{cut}/" and cut.rfind("/") <= 0  # the router tries both by itself
    return "" if cut == plain or is_folder else _quoted(cut)


def _cut(text: str) -> str:
    """Return a text without the signs behind its last word; keep a bracket that the text opens."""
    ends = (n for n in range(len(text), 0, -1) if not _is_sign(text[n - 1]))
    text = text[: next(ends, 0)]
    for opens, closes in ("()", "[]"):
        if text.endswith(closes) and text.count(opens) < text.count(closes):
            return _cut(text[:-1])
    return text


def _is_sign(letter: str) -> bool:
    kind = category(letter)
    return letter in "\r\n" or kind == "Cf" or (kind[0] in "PSZ" and letter not in "=)]")
