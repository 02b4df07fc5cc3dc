"""Links as mail programs, messengers and people leave them: their keys, and where they lead."""

import re
from urllib.parse import quote, unquote, unquote_plus

KEY_LENGTH, DEVICE_KEY_LENGTH = 22, 24  # characters of the keys of seats, and of device links
_PUT_IN = re.compile("=?\r?\n|[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_PAGE = r"/r/[a-z0-9]{1,16}(?![a-z0-9])|/games/take"
_BEFORE_KEY = tuple(re.compile(sign, re.DOTALL) for sign in (_PAGE, "#", "://.*"))
_PROOFPOINT = str.maketrans("_-", "/%")  # how this filter of mail encodes a link in another one
_WORDS = re.compile(r".*(?:[^\W_]|[\0-\x08\x0e-\x1f\x7f])", re.DOTALL)  # up to the last one


def plain_link(text: str) -> str:
    r"""Return a link without encoded signs, line breaks and invisible characters.

    >>> plain_link("https://box.example/r/kq3v9x2m%2523Ab\u200bCd=\nEf")
    'https://box.example/r/kq3v9x2m#AbCdEf'
    """
    text = re.sub(r"https?-3A__\S*", lambda link: link[0].translate(_PROOFPOINT), text)
    return _PUT_IN.sub("", unquote(unquote(text)).strip())


def find_page(text: str) -> str:
    """Return the path of the page that a link with a key leads to; "" without one.

    >>> find_page("Ann: join #us at https://box.example/r/kq3v9x2m.")
    '/r/kq3v9x2m'
    """
    page = _BEFORE_KEY[0].search(plain_link(text))
    return page[0] if page else ""


def find_key(text: str, length: int = KEY_LENGTH) -> str:
    """Return the key in a link, as mail programs and messengers change links; "" without one.

    What follows the key is ignored. A link that was cut off has a key of fewer characters.

    >>> find_key("https://box.example/r/kq3v9x2m%2523AbCdEfGhIjKlMnOpQrStUv%3E.")
    'AbCdEfGhIjKlMnOpQrStUv'
    """
    plain = plain_link(text)
    after = next((part[1] for sign in _BEFORE_KEY if (part := sign.split(plain, 1))[1:]), plain)
    whole = re.search(rf"[\w-]{{{KEY_LENGTH},{length}}}", after, re.ASCII)
    key = whole or re.search(r"[\w-]+", after, re.ASCII)
    return key[0] if key else ""


def find_challenge(text: str) -> str:
    """Return the text that stands where a link, or its query, has the code of a challenge.

    That is what follows the last `dice=`, or else the first run of letters, digits, `-` and `_`;
    "" without any. It may be no code, which `read_challenge` refuses.

    >>> find_challenge("https://box.example/challenge?dice=%20AbCd=%0D%0AEf."), find_challenge("?")
    ('AbCdEf', '')
    """
    plain = re.sub(r"[\s+]", "", plain_link(text))
    code = re.search(r"[\w-]+", plain.rpartition("dice=")[2], re.ASCII)
    return code[0] if code else ""


def mend_address(path: str, query: str = "") -> str:
    """Return the address of a page that was asked for in vain, without what others changed in it.

    Programs encode its # or ?, and put signs behind its end. Returns "" if it has none of these.

    >>> mend_address("/r/kq3v9x2m%23AbCdEfGhIjKlMnOpQrStUv"), mend_address("/r/kq3v9x2m/nothing")
    ('/r/kq3v9x2m#AbCdEfGhIjKlMnOpQrStUv', '')
    >>> mend_address("/p/classic(dice=3d6):1.2/3+4).")
    '/p/classic(dice=3d6):1.2/3+4'
    >>> mend_address("/r/kq3v9x2m/review", "game=1%E2%80%A6")
    '/r/kq3v9x2m/review?game=1'
    """
    plain, (head, sign, last) = unquote(path), query.rpartition("=")
    if plain.startswith("//"):  # it would lead to another host
        return ""
    if parts := re.fullmatch(rf"({_PAGE})/([\w-]{{{KEY_LENGTH}}}.*)", plain, re.DOTALL):
        return f"{parts[1]}#{parts[2]}"
    if re.fullmatch("[^#?]*[#?].+", plain, re.DOTALL):
        return plain
    if parts := re.fullmatch(rf"({_PAGE})[^\w/-].*", plain, re.DOTALL):
        return parts[1]
    wanted = unquote_plus(last) if query else plain
    words = (_WORDS.match(wanted) or [""])[0]
    for opens, closes in ("()", "[]"):
        words += closes * (words.count(opens) - words.count(closes))
    if words == wanted or f"{words}/" in ("/p/", "/"):  # the router tries a folder by itself
        return ""
    return f"{path}?{head}{sign}{quote(words)}" if query else words
