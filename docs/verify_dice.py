"""Check the sealed dice of a shutbox record: python3 verify_dice.py RECORD [--ticket TEXT].

This file needs Python 3.11 and nothing else. It checks the dice, not the rules: `shutbox check`
does both. TEXT is the ticket that you kept, or its twelve words; dice_words.txt is then needed.
"""

import hmac
import json
import re
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from struct import pack
from unicodedata import normalize
from zlib import crc32

NO_WORD = "\0-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
TEXT, NAME = (f"(?! )[^{NO_WORD}\u2028\u2029\ufeff{no}]+(?<! )" for no in ("", ',=:#"\\\\'))
HEAD = re.compile(
    rf"(shutbox record 1\nprogram {TEXT}\nbegun [-0-9]{{10}} [0-9:]{{8}} UTC\ngame ({TEXT})\n"
    rf"(?:package {TEXT}\n)?(?:format ({TEXT})\n)?(?:position {TEXT}\n)?"
    rf"((?:player {NAME}(?:=computer:{TEXT})?\n){{1,12}})dice (?:system|hand|challenge|day [-0-9]+|"
    r'seed "[^\n]*"|sealed ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64}))\n)begin #([0-9a-f]{8})\n'
)
WORD = r' ([0-9]{1,2}) ("(?:[ !#-\[\]-~]|\\["\\]|\\u[0-9a-f]{4})*")'
FIT = re.compile(f"[^{NO_WORD}]{{0,64}}")
OWN = r' ([0-9]{1,2}) (".*")$'  # the word in a ticket
THROW = "throws ([1-9][0-9]*(?:[+][1-9][0-9]*)*)(?: of ([0-9d+]+))?"
EVENT = rf"([0-9]+) ({NAME}): (?:{THROW}|chooses ({TEXT})|takes back)\n"
OPENING = rf"(?:opening ([0-9a-f]{{64}})((?:{WORD})*)\n)?"
LOG = re.compile(rf"((?:{EVENT})*)(dice system\n(?:{EVENT})*)?{OPENING}")
DICE = {"the-300": "4d6", "2012": "1d20", "six": "1d6", "cargo": "6d6", "ship-captain-crew": "5d6"}
FEWER = "the-300", "parlour", "continental", "cargo", "ship-captain-crew"  # without a choice


def _hash(tag: str, *parts: bytes) -> bytes:
    name = f"shutbox/dice/1/{tag}".encode()
    fields = b"".join(pack(">I", len(part)) + part for part in parts)
    return sha256(pack(">H", len(name)) + name + fields).digest()


def kept(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the first digits of the envelope in a ticket, and its seat and word, if any."""
    said, digits = (head := re.sub(OWN, "", text).lower()), "".join(head.split())
    own = [(int(seat), normalize("NFC", json.loads(word))) for seat, word in re.findall(OWN, text)]
    if not re.fullmatch("[0-9a-f]{32,64}", digits):
        known = Path(__file__).with_name("dice_words.txt").read_text().split()
        numbers = [known.index(word) for word in re.findall("[a-z]+", said) if word in known]
        if len(numbers) != 12:
            raise ValueError("a ticket begins with twelve words of the list, or 32 to 64 digits")
        digits = f"{int(''.join(f'{number:011b}' for number in numbers), 2):033x}"
    return digits, own


def sides_of(pips: int, named: str, game: str, before: str) -> list[int]:
    """Return the sides of the dice of a throw; empty if the game has no such dice."""
    name, said = game.split("(")[0], named or f"{pips}d6"
    about = [*re.findall("dice=([0-9d+]+)", game), DICE.get(name, "2d6")]
    its = said if name == "tray" or "." in name else about[0]
    kinds = (re.findall("([0-9]{1,2})d([0-9]+)", text) for text in (said, its))
    sides, has = ([int(n) for many, n in of for _ in range(int(many))] for of in kinds)
    written = "+".join(f"{many}d{n}" for n, many in sorted(Counter(sides).items()))
    may = name in FEWER or "fewer=must" in game or before.endswith((" die", " dice"))
    known = Counter(sides) <= Counter(has) and (may or len(sides) == len(has))
    right = len(sides) == pips and (named == "") == ({*sides} == {6}) and said == written
    return sides if right and known and 1 < min(sides) <= max(sides) < 101 else []


def problems(record: str, ticket: str | None = None) -> list[str]:
    """Print what is known of the dice; return what is wrong. Raises ValueError for no ticket."""
    digits, own = kept(ticket) if ticket is not None else ("", [])
    if (head := HEAD.match(record)) is None or head[8] != f"{crc32(head[1].encode()):08x}":
        return ["This is no shutbox record 1."]
    game, format, players, gid, envelope, seal, code = head.groups("")[1:]
    wrong = [] if envelope.startswith(digits) else ["The envelope is not the one that you kept."]
    if not gid:
        print("The dice are not sealed.")
        return wrong
    print(
        "Sealed dice, level L1. A server without the help of a player chose no throw, if you kept"
    )
    print("the envelope before you gave a word.")
    names, lines = re.findall(f"player ({NAME})(=?)", players), record[head.end() :].split("\n")
    ends = (f" #{crc32(f'{code} {line[:-10]}'.encode()):08x}" for line in lines)
    texts = [f"{a[:-10]}\n" if a.endswith(end) else "" for a, end in zip(lines, ends, strict=True)]
    body = "".join(text or "?" for text in (texts if texts[-1] else texts[:-1]))  # the last: torn
    log, events = LOG.fullmatch(body), re.findall(f"^{EVENT}", body, re.M)
    due = [str(n) for n, event in enumerate(events, 1) if event[1] in dict(names)]
    if not log or due != [event[0] for event in events] or len(dict(names)) < len(names):
        return [*wrong, "A line after the beginning is no event, or was changed."]
    sealed = len(re.findall(r"^\d+ [^:]+: throws", log[1], re.M))
    if log[7]:
        print(f"Sealed to throw {sealed}; later dice are not sealed.")
    if log[13] is None:
        print("The envelope is closed, so no throw can be checked yet.")
        return wrong
    given = {int(seat): json.loads(word) for seat, word in re.findall(WORD, log[14])}
    fit = all(FIT.fullmatch(w) and w == normalize("NFC", w) for w in given.values())
    again = "".join(f" {seat} {json.dumps(word)}" for seat, word in sorted(given.items()))
    if not fit or again != log[14] or max(given, default=0) >= len(names):
        return [*wrong, "The last line opens no envelope."]
    words = (pack(">I?", n, n in given) + given.get(n, "").encode() for n in range(len(names)))
    key, secret, digest = bytes.fromhex(gid), bytes.fromhex(log[13]), _hash("words", *words)
    of = *(normalize("NFC", text).encode() for text in (game, format)), pack(">I", len(names))
    made = _hash("seal", key, bytes.fromhex(envelope), digest, *of).hex()
    closed = _hash("envelope", key, secret).hex()
    claims = {
        "Your word is not in these dice.": {*own} <= {*given.items()},
        "The seed is not the one in the envelope.": closed == envelope,
        "The seal does not hold this envelope, these words and this game.": made == seal,
    }
    for seat, (name, computer) in enumerate(names):
        claims[f"{name} is a computer player and has a word."] = seat not in given or not computer
        print(f"{'One' if seat in given else 'Without a'} word: {name}.")
    choices = ["", *(event[4] for event in events)]
    thrown = [(*e[2:4], before) for e, before in zip(events, choices, strict=False) if e[2]]
    for number, (pips, named, before) in enumerate(thrown, start=1):
        sides = sides_of(pips.count("+") + 1, named, game, before)
        one = hmac.digest(secret, b"throw" + key + pack(">I", number) + digest, "sha256")
        stream = (b for n in range(2**32) for b in hmac.digest(one, pack(">I", n), "sha256"))
        faces = [1 + next(b for b in stream if b < 256 // n * n) % n for n in sides]
        right = "+".join(str(face) for _, face in sorted(zip(sides, faces, strict=True)))
        follows = sides and (pips == right or number > sealed)
        claims[f"Throw {number} does not follow: {pips} instead of {right}."] = follows
    wrong += [claim for claim, holds in claims.items() if not holds]
    says = ["The dice follow from this seed and these words."]
    says += ["The seed was fixed before you gave a word."] * bool(ticket)
    print(*[] if wrong else says + ["Your word is in these dice."] * bool(own), sep="\n")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 2 and sys.argv[2:3] != ["--ticket"]:
        sys.exit(__doc__)
    found = problems(Path(sys.argv[1]).read_bytes().decode(), " ".join(sys.argv[3:]) or None)
    print(*found or ["Nothing is wrong."], sep="\n")
    sys.exit(bool(found))
