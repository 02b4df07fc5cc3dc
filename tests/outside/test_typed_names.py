"""Names in many scripts, and as phones, mail programs and other keyboards send them."""

from collections.abc import Iterator

from listing import assert_none
from shutbox.engine.english import shown, visible
from shutbox.engine.errors import BadName
from shutbox.engine.seats import Seat, read_name, read_seats
from shutbox.table.bots import read_players
from shutbox.table.terms import read_terms

ENGLAND, WALES = (
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in f"{region}\x7f")
    for region in ("gbeng", "gbwls")
)

GOOD = [
    *("علی\u200cرضا", "مه\u200cسا", "کیان\u200cدخت"),  # Persian
    *("क्\u200dष", "नी\u200cरज", "ශ්\u200dරී", "അവന്\u200dറെ", "മോഹന്\u200d"),  # India, Sri Lanka
    *("ខ្មែរ", "ᠮᠣᠩᠭᠣᠯ", "ሰላም", "ლანა", "გიორგი", "שָׂרָה"),
    *("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", ENGLAND, f"Gwen {WALES}"),
    *(
        "\U0001f469\U0001f3fd\u200d\U0001f680 Zoë",
        "\u2764\u200d\U0001f525",
        "\U0001f408\u200d\u2b1b",
    ),
]
"""Names that are clean as they are."""

CLEANED = [
    *(
        (f"{mark}Ann{mark}", "Ann")
        for mark in "\u200b\u200c\u200d\u200e\u200f\u202a\u2066\ufeff\xad"
    ),
    ("\u202bعلی\u200cرضا\u202c ", "علی\u200cرضا"),
    ("\u2068Mary\xa0Ann\u2069", "Mary Ann"),
    ("\u200f \u200e Bob\u3164", "Bob"),
    ("\u2764\ufe0f\u200d\U0001f525", "\u2764\u200d\U0001f525"),
    ("\N{GAME DIE}\u200d", "\N{GAME DIE}"),
]

BAD = ["An\u200dn", "An\u200bn", "Ann\u202eBob", f"Ann{ENGLAND[1:]}", "\x1b[31mAnn", "علی\u202eرضا"]
"""Names that are refused, by a sentence without an escape."""


def _faults() -> Iterator[str]:
    for text, clean in [*((name, name) for name in GOOD), *CLEANED]:
        for seats in ((Seat(read_name(text)),), read_seats(text), read_players(f"{text},Zed")[:1]):
            if seats != (Seat(clean),) or visible(clean) != clean or clean not in shown(clean):
                yield f"{text!a} becomes {seats!a}"
    for text in BAD:
        try:
            yield f"{text!a} becomes {read_name(text)!a}"
        except BadName as error:
            if "\\" in str(error) or not str(error).isprintable():
                yield f"{text!a}: {error}"
    names = ("علی\u200cرضا", ENGLAND)
    for text in ("{}=computer:most, {}", "{} and {}", "{} vs {}, 3 rounds"):
        if tuple(seat.name for seat in read_terms(text.format(*names)).seats) != names:
            yield f"{text} changes a name"
    if len(read_seats(f"{ENGLAND},{WALES}")) != 2:
        yield "two flags are alike"


def test_a_name_of_any_script_is_kept_as_it_came() -> None:
    assert_none(_faults())
