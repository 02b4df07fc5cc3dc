"""Check the sealed dice of a shutbox record: python3 verify_dice.py RECORD [--seal WORDS-OR-HEX].

This file needs Python 3.11 and nothing else. It checks the dice, not the rules: `shutbox check`
does both. To check a seal of twelve words, keep dice_words.txt beside this file.
"""

import hashlib
import hmac
import json
import re
import sys
import unicodedata
from pathlib import Path

LIST = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"  # the SHA-256 of words
WORD = r' ([0-9]+) ("(?:[^"\\]|\\.)*")'
OPENING = re.compile(rf"opening ([0-9a-f]{{64}})((?:{WORD})*) #[0-9a-f]{{8}}")
THROW = r"(throws|reads|corrects to) ([0-9+]+)(?: of ([0-9d+]+))?"
EVENT = re.compile(rf"[1-9][0-9]* [^:]*: (?:{THROW}|chooses .*|takes back) #[0-9a-f]{{8}}")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _hash(tag: str, *parts: bytes) -> bytes:
    name = b"shutbox/dice/1/" + tag.encode()
    fields = b"".join(_u32(len(part)) + part for part in parts)
    return hashlib.sha256(len(name).to_bytes(2, "big") + name + fields).digest()


def _utf8(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode()


def faces(seed: bytes, gid: bytes, number: int, words: bytes, sides: list[int]) -> list[int]:
    """Return the faces of a throw, one for each of `sides`."""
    key = hmac.digest(seed, b"throw" + gid + _u32(number) + words, "sha256")
    blocks = (hmac.digest(key, _u32(block), "sha256") for block in range(2**32))
    stream = (byte for block in blocks for byte in block)
    return [1 + next(b for b in stream if b < 256 // n * n) % n for n in sides]


def is_kept(said: str, seal: bytes) -> bool:
    """Whether a seal that was kept, 32 to 64 hex digits or twelve words, is this seal."""
    digits = "".join(said.lower().split())
    if re.fullmatch("[0-9a-f]{32,64}", digits):
        return seal.hex().startswith(digits)
    data = Path(__file__).with_name("dice_words.txt").read_bytes()
    known, words = data.decode().split(), re.findall("[a-z]+", said.lower())
    if hashlib.sha256(data).hexdigest() != LIST or len(words) != 12 or not {*words} <= {*known}:
        raise ValueError("a seal is twelve words of the list, or 32 to 64 hexadecimal digits")
    bits = "".join(f"{known.index(word):011b}" for word in words)
    return f"{int.from_bytes(seal, 'big'):0256b}".startswith(bits)


def problems(record: str, said: str | None = None) -> list[str]:
    """Print what is known of the dice; return what is wrong. Raises ValueError and KeyError."""
    lines, wrong = record.removesuffix("\n").split("\n"), list[str]()
    start = next(n for n, line in enumerate([*lines, "begin"]) if line.startswith("begin"))
    head = dict(line.partition(" ")[::2] for line in lines[:start])
    if not head.get("dice", "").startswith("sealed "):
        print("The dice are not sealed.")
        return [] if said is None else ["There is no seal to compare."]
    print("Sealed dice, level L1: nobody chose a throw, if your own word is in the seal and you")
    print("kept the seal.")
    of_seal = [bytes.fromhex(digits.strip("-")) for digits in head["dice"].split()[1:]]
    gid, envelope, *promised, seal = of_seal
    if said is not None and not is_kept(said, seal):
        wrong.append("The seal is not the one you gave.")
    if not any(line.startswith("opening") for line in lines):
        print("The envelope is closed, so no throw can be checked yet.")
        return wrong
    if (opened := OPENING.fullmatch(lines.pop())) is None or len(gid) != 16:
        return [*wrong, "The last line opens no envelope."]
    seed, words = bytes.fromhex(opened[1]), list[bytes]()
    sent = {int(seat): _utf8(json.loads(word)) for seat, word in re.findall(WORD, opened[2])}
    for seat, promise in enumerate(promised):
        if seat not in sent:
            late = "a promised word did not come, which left its owner one bit of choice."
            print(f"Seat {seat}: {late if promise else 'no word.'}")
        elif promise != _hash("word", gid, _u32(seat), sent[seat]):
            wrong.append(f"The word of seat {seat} is not the promised one.")
        words.append(_u32(seat) + (b"\1" + sent[seat] if seat in sent else b"\0"))
    if _hash("envelope", gid, seed) != envelope:
        wrong.append("The seed is not the one in the envelope.")
    game, digest = (_utf8(head["game"]), _utf8(head.get("format", ""))), _hash("words", *words)
    if _hash("seal", gid, envelope, digest, *game, _u32(len(promised))) != seal:
        wrong.append("The seal does not hold this envelope, these words and this game.")
    number = 0
    for line in lines[start + 1 :]:
        if line.startswith("dice system #"):
            print(f"Sealed to throw {number}; later dice are not sealed.")
            break
        if (event := EVENT.fullmatch(line)) is None:
            wrong.append(f"This line is no event: {line[:60]!r}")
        elif event[1]:
            number += 1
            pips = [int(pip) for pip in event[2].split("+")]
            kinds = (kind.split("d") for kind in (event[3] or f"{len(pips)}d6").split("+"))
            sides = [int(n) for many, n in kinds for _ in range(int(many)) if 1 < int(n) < 101]
            right = faces(seed, gid, number, digest, sides)
            right = [face for _, face in sorted(zip(sides, right, strict=True))]
            if event[1] != "throws" or pips != right:
                wrong.append(f"Throw {number} does not follow: {pips} instead of {right}.")
    print(f"{number} throws are compared.")
    if said is None and not wrong:
        print("The dice follow from this seed and these words; only a seal kept from before shows")
        print("that both were fixed before.")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 2 and sys.argv[2:3] != ["--seal"]:
        sys.exit(__doc__)
    found = problems(Path(sys.argv[1]).read_bytes().decode(), " ".join(sys.argv[3:]) or None)
    print(*found or ["Nothing is wrong."], sep="\n")
    sys.exit(bool(found))
