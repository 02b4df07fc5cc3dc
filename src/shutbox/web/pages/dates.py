"""Days in words, as people read them."""

from datetime import date

from shutbox.messages import gettext, gettext_noop

MONTHS = (
    *(gettext_noop("January"), gettext_noop("February"), gettext_noop("March")),
    *(gettext_noop("April"), gettext_noop("May"), gettext_noop("June")),
    *(gettext_noop("July"), gettext_noop("August"), gettext_noop("September")),
    *(gettext_noop("October"), gettext_noop("November"), gettext_noop("December")),
)


def in_words(day: str) -> str:
    """A day that is written in numbers, in words.

    >>> in_words("2026-11-02")
    '2 November 2026'
    """
    found = date.fromisoformat(day)
    month = gettext(MONTHS[found.month - 1])
    return gettext("{day} {month} {year}", day=found.day, month=month, year=found.year)
