"""Readability of a text: the school grade needed to read it, after Flesch and Kincaid."""

import re

SENTENCE = re.compile(r"[.!?](?:\s|$)")
WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|[0-9]+")
VOWELS = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Return the syllables of an English word, by its vowels: close enough for a mean.

    >>> [syllables(word) for word in ("tile", "cover", "cargo", "throws", "needed", "people")]
    [1, 2, 2, 1, 2, 2]
    """
    word = word.lower()
    silent = re.search(r"(?<![aeiouyl])e$|[aeiouy]le$|(?<![aeioutdsxz])e[sd]$", word)
    return max(1, len(VOWELS.findall(word)) - bool(silent))


def grade(text: str) -> float:
    """Return the grade of a text. A number counts as a short word."""
    words = WORD.findall(text)
    sentences = sum(1 for sentence in SENTENCE.split(text) if sentence)
    return 0.39 * len(words) / sentences + 11.8 * sum(map(syllables, words)) / len(words) - 15.59
