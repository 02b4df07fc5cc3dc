"""Check the sealed dice of a shutbox record: python3 verify_dice.py RECORD [--ticket TEXT].

It needs Python 3.11, and checks the dice, not the rules; `shutbox check` does both. TEXT is the
ticket that you kept, or its twelve words, for which dice_words.txt stands beside this file.
"""

import hmac
import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from struct import pack
from unicodedata import normalize
from zlib import crc32

NO_WORD = "\0-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
TEXT, NAME = (f"(?! )[^{NO_WORD}\u2028\u2029\ufeff{no}]+(?<! )" for no in ("", ',=:#"\\\\'))
HEAD = re.compile(
    rf"(shutbox record 1\nprogram {TEXT}\nbegun [-0-9]{{10}} [0-9:]{{8}} UTC\ngame ({TEXT})\n"
    rf"(?:package {TEXT}\n)?(?:format ({TEXT})\n)?(?:position {TEXT}\n)?((?:player {NAME}"
    rf"(?:=computer:{TEXT})?\n){{1,12}})dice (?:system|hand|challenge|da(?:y|te) [-0-9]+|"
    r'seed "[^\n]*"|sealed ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64}))\n)begin #([0-9a-f]{8})\n'
)
WORD = r' ([0-9]{1,2}) ("(?:[ !#-\[\]-~]|\\["\\]|\\u[0-9a-f]{4})*")'
OWN = r' ([0-9]{1,2}) (".*")$'  # the word in a ticket
THROW = "throws ([1-9][0-9]*(?:[+][1-9][0-9]*)*)(?: of ([0-9d+]+))?"
EVENT = rf"([0-9]+) ({NAME}): (?:{THROW}|chooses ({TEXT})|takes back)\n"
LOG = rf"((?:{EVENT})*)(dice system\n(?:{EVENT})*)?(?:opening ([0-9a-f]{{64}})((?:{WORD})*)\n)?"
DICE = {"the-300": "4d6", "2012": "1d20", "six": "1d6", "cargo": "6d6", "ship-captain-crew": "5d6"}


def _hash(tag: bytes, *parts: bytes) -> bytes:
    fields = b"".join(pack(">I", len(part)) + part for part in parts)
    return sha256(pack(">H", len(tag) + 15) + b"shutbox/dice/1/" + tag + fields).digest()


def sides_of(pips: int, named: str, game: str, before: str) -> list[int]:
    """Return the sides of the dice of a throw; empty if the game has no such dice."""
    name, said = game.split("(")[0], named or f"{pips}d6"
    its = [said] * (name == "tray" or "." in name) + re.findall("dice=([0-9d+]+)", game)
    kinds = [re.findall("([0-9]{1,2})d([0-9]+)", t) for t in (said, *its, DICE.get(name, "2d6"))]
    sides, has = ([int(n) for many, n in of for _ in range(int(many))] for of in kinds[:2])
    written = "+".join(f"{sides.count(n)}d{n}" for n in sorted({*sides}))
    right = len(sides) == pips and said == written and (named == "") == ({*sides} == {6})
    right = right and all(sides.count(n) <= has.count(n) and 1 < n < 101 for n in sides)
    few = "^(the-300|parlour|continental|cargo|ship-captain-crew)[( ]|fewer=must| dic?e$"
    return sides if right and (len(sides) == len(has) or re.search(few, f"{game} {before}")) else []


def check(record: str, ticket: str | None = None) -> tuple[list[str], list[str]]:
    """Return what is known of the dice, and what is wrong. Raises ValueError for no ticket."""
    said = re.sub(OWN, "", ticket or "").lower()
    own = {(int(n), normalize("NFC", json.loads(w))) for n, w in re.findall(OWN, ticket or "")}
    digits = "".join(said.split())
    if ticket is not None and not re.fullmatch("[0-9a-f]{32,64}", digits):
        known = Path(__file__).with_name("dice_words.txt").read_text().split()
        numbers = [known.index(word) for word in re.findall("[a-z]+", said) if word in known]
        if len(numbers) != 12:
            raise ValueError("a ticket begins with twelve words of the list, or 32 to 64 digits")
        digits = f"{int(''.join(f'{number:011b}' for number in numbers), 2):033x}"
    if (head := HEAD.match(record)) is None or head[8] != f"{crc32(head[1].encode()):08x}":
        return [], ["This is no shutbox record 1."]
    game, format, players, gid, envelope, seal, code = head.groups("")[1:]
    wrong = [] if envelope.startswith(digits) else ["The envelope is not the one that you kept."]
    if not gid:
        return ["The dice are not sealed."], wrong + ["No envelope."] * ("\nopening " in record)
    notes = ["Sealed dice, level L1. A server without the help of a player chose no throw,"]
    notes += ["if you kept the envelope before you gave a word."]
    names, lines = re.findall(f"player ({NAME})(=?)", players), record[head.end() :].split("\n")
    ends = (f" #{crc32(f'{code} {line[:-10]}'.encode()):08x}" for line in lines)
    texts = [f"{a[:-10]}\n" if a.endswith(end) else "" for a, end in zip(lines, ends, strict=True)]
    body = "".join(text or "?" for text in (texts if texts[-1] else texts[:-1]))  # the last: torn
    log, events = re.fullmatch(LOG, body), re.findall(f"^{EVENT}", body, re.M)
    due = [str(n) for n, event in enumerate(events, 1) if event[1] in dict(names)]
    if not log or due != [event[0] for event in events] or len(dict(names)) < len(names):
        return notes, [*wrong, "A line after the beginning is no event, or was changed."]
    sealed = len(re.findall(r"^\d+ [^:]+: throws", log[1], re.M))
    notes += [f"Sealed to throw {sealed}; later dice are not sealed."] * bool(log[7])
    if log[13] is None:
        return [*notes, "The envelope is still closed: check the throws after the game."], wrong
    given = {int(seat): normalize("NFC", json.loads(w)) for seat, w in re.findall(WORD, log[14])}
    again = "".join(f" {seat} {json.dumps(word)}" for seat, word in sorted(given.items()))
    fit = all(re.fullmatch(f"[^{NO_WORD}]{{0,64}}", word) for word in given.values())
    if not fit or again != log[14] or max(given, default=0) >= len(names):
        return notes, [*wrong, "The last line opens no envelope."]
    words = (pack(">I?", n, n in given) + given.get(n, "").encode() for n in range(len(names)))
    key, secret, digest = bytes.fromhex(gid), bytes.fromhex(log[13]), _hash(b"words", *words)
    of = *(normalize("NFC", text).encode() for text in (game, format)), pack(">I", len(names))
    made = _hash(b"seal", key, bytes.fromhex(envelope), digest, *of).hex()
    claims = {
        "Your word is not in these dice.": own <= {*given.items()},
        "The envelope holds another seed.": _hash(b"envelope", key, secret).hex() == envelope,
        "The seal does not hold this envelope, these words and this game.": made == seal,
        **{f"{names[n][0]} is a computer player and has a word.": not names[n][1] for n in given},
    }
    notes += [f"Without a word: {name}." for n, (name, _) in enumerate(names) if n not in given]
    thrown = [(*e[2:4], b[4]) for b, e in zip([[""] * 5, *events], events, strict=False) if e[2]]
    for number, (pips, named, before) in enumerate(thrown, start=1):
        sides = sides_of(pips.count("+") + 1, named, game, before)
        one = hmac.digest(secret, b"throw" + key + pack(">I", number) + digest, "sha256")
        stream = (b for n in range(2**32) for b in hmac.digest(one, pack(">I", n), "sha256"))
        faces = [1 + next(b for b in stream if b < 256 // n * n) % n for n in sides]
        right = "+".join(str(face) for _, face in sorted(zip(sides, faces, strict=True)))
        follows = sides and (pips == right or number > sealed)
        claims[f"Throw {number} does not follow: {pips} instead of {right}."] = bool(follows)
    wrong += [claim for claim, holds in claims.items() if not holds]
    says = ["The dice follow from this seed and these words."]
    says += ["The seed was fixed before you gave a word.", "Your word is in these dice."]
    return notes + says[: 1 + bool(ticket) + bool(own)] * (not wrong), wrong


if __name__ == "__main__":
    if len(sys.argv) in (1, 3) or sys.argv[2:3] not in ([], ["--ticket"]):
        sys.exit(__doc__)
    sys.excepthook = lambda _, error, at: print(f"This cannot be checked: {error}", file=sys.stderr)
    record, *ticket = Path(sys.argv[1]).read_bytes().decode(), *sys.argv[3:]
    notes, wrong = check(record, " ".join(ticket) if ticket else None)
    print(*notes, *(wrong or ["Nothing is wrong."]), sep="\n")
    sys.exit(bool(wrong))
