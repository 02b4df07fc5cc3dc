"""Distinguishable names, and the typed list of seats."""

from unicodedata import is_normalized

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from listing import assert_none
from shutbox.engine.english import shown, visible
from shutbox.engine.errors import BadName
from shutbox.engine.names import LONGEST_NAME, letters_in
from shutbox.engine.seats import DEFAULT_KIND, MOST_SEATS, Seat, check_seats, read_name, read_seats
from shutbox.table.characters import read_players
from shutbox.table.terms import read_terms

ENGLAND, WALES = (
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in f"{region}\x7f")
    for region in ("gbeng", "gbwls")
)
GOOD = [
    *("Ann", "José", "Zoë", "O'Brien", "O\u2019Brien", "Łukasz", "Øyvind", "Nguyễn Thế"),
    *("Анна", "Ольга", "Νίκη", "李雷", "さくら", "ガブリエル", "김민준", "דנה", "محمد", "สมชาย"),
    *("रवि", "မျိုး", "Mary Ann", "Player 2", "Ann-Marie", "7", "J.R.", "Ann \N{GAME DIE}", "x" * 24),
    *("Computerfan", "ᾳ", "A & B", "(Ann)", "Анна \N{TRADE MARK SIGN}"),
    *("\N{GAME DIE}", "\N{FOX FACE}\N{ROCKET}", "\u2764", "\U0001f1eb\U0001f1f7"),
    *("علی\u200cرضا", "مه\u200cسا", "کیان\u200cدخت"),  # Persian
    *("क्\u200dष", "नी\u200cरज", "ශ්\u200dරී", "അവന്\u200dറെ", "മോഹന്\u200d"),  # India, Sri Lanka
    *("ខ្មែរ", "ᠮᠣᠩᠭᠣᠯ", "ሰላም", "ლანა", "გიორგი", "שָׂרָה"),
    *("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", ENGLAND, f"Gwen {WALES}"),
    *("\U0001f469\U0001f3fd\u200d\U0001f680 Zoë", "\u2764\u200d\U0001f525"),
    "\U0001f408\u200d\u2b1b",
]
"""Names that are clean as they are."""

CLEANED = [
    ("  Ann ", "Ann"),
    ("\u2764\ufe0f", "\u2764"),
    ("Mary  \t Ann", "Mary Ann"),
    ("Mary\u00a0Ann\u3000Lee", "Mary Ann Lee"),
    ("Ann\r\n", "Ann"),
    ("Jose\u0301", "José"),
    ("\u212bsa", "Åsa"),
    ("Ann \u2764\ufe0f", "Ann \u2764"),
    ("Ann" + " " * 200 + "Lee", "Ann Lee"),
    *((f"{m}Ann{m}", "Ann") for m in "\u200b\u200c\u200d\u200e\u200f\u202a\u2066\ufeff\xad"),
    ("\u202bعلی\u200cرضا\u202c ", "علی\u200cرضا"),
    ("\u2068Mary\xa0Ann\u2069", "Mary Ann"),
    ("\u200f \u200e Bob\u3164", "Bob"),
    ("\u2764\ufe0f\u200d\U0001f525", "\u2764\u200d\U0001f525"),
    ("\N{GAME DIE}\u200d", "\N{GAME DIE}"),
]

BAD = [
    ("", "1 to 24 letters, not 0"),
    (" \t\n", "1 to 24 letters, not 0"),
    ("\ufe0f", "not 0"),
    ("x" * 25, "1 to 24 letters, not 25"),
    ("\U0001f469\U0001f3fd" * 25, "1 to 24 letters, not 25"),
    ("A" + "\u0301" * 250, "at most 192 characters with all its accents, not 251"),
    *((f"A{sign}nn", "no invisible .* 'Ann' by hand") for sign in "\x07\n\x85\u2028\u200b\u202e"),
    *((f"A{sign}nn", "no invisible .* 'Ann' by hand") for sign in "\u2066\ufeff\ue000\ud800\u200c"),
    *((f"A{sign}nn", "no invisible .* 'Ann' by hand") for sign in "\U000e0041\u0378\u3164\u2800"),
    ("\x1b[31mAnn", r"'\[31mAnn' by hand"),
    ("!!!", "letter, digit or emoji"),
    ("\N{EMOJI MODIFIER FITZPATRICK TYPE-4}", "letter, digit or emoji"),
    ("\N{BOX DRAWINGS LIGHT HORIZONTAL}", "letter, digit or emoji"),
    ("Ann\u200d\N{GAME DIE}", "invisible"),
    *((bad, "invisible") for bad in ("An\u200dn", f"Ann{ENGLAND[1:]}", "علی\u202eرضا")),
    ("\u02bc", "letter, digit or emoji"),
    ("Z\u0301\u0301\u0301oe", "two marks"),
    ("Ann\u0335\u0336\u0337", "two marks"),
    ("\u0e01\u0e47\u0e47\u0e47", "two marks"),
    ("\u0301Ann", "mark"),
    ("Ann \u0301", "mark"),
    *((f"An{sign}n", "have a meaning") for sign in ',=:#"\\'),
    ("An\u037en\\", "have a meaning"),
    ("computer", "computer"),
    (" COMPUTER ", "computer"),
    ("\uff43omputer", "computer"),
    ("C\u00f3mputer", "computer"),
    ("com-puter", "computer"),
    ("Computer 2", "computer"),
    ("Аnn", "alphabet, not of Cyrillic and Latin"),
    ("Αnn", "alphabet, not of Greek and Latin"),
    ("Анνа", "alphabet, not of Cyrillic and Greek"),
    ("B\u0585b", "alphabet, not of Armenian and Latin"),
    ("Ann\N{MATHEMATICAL BOLD SMALL ALPHA}", "alphabet, not of Greek and Latin"),
]
"""Bad names, and what must be said about each."""

ALIKE = [
    *(("Ann", "ANN"), ("José", "Jose"), ("Straße", "STRASSE"), ("Øyvind", "Oyvind")),
    *(("Анна", "АННА"), ("Οδυσσεύς", "ΟΔΥΣΣΕΥΣ"), ("Łukasz", "lukasz"), ("Ёлка", "Елка")),
    *(("Mary Ann", "MaryAnn"), ("Ann-Marie", "Ann Marie"), ("O'Brien", "O\u2019Brien")),
    *(("O'Brien", "O\u02bcBrien"), ("O'Brien", "OBrien"), ("J.R.", "jr"), ("Ann", "Ann!")),
    *(("Ian", "lan"), ("Player 1", "Player I"), ("Player 1", "Player l"), ("Bill", "Bi||")),
    ("ALAN", "aian"),
    *(("Bob", "B0b"), ("Ann", "\uff21nn"), ("Ann", "\N{MATHEMATICAL BOLD CAPITAL A}nn")),
    *(("Сор", "Cop"), ("Вор", "Bop"), ("ВОВА", "Boba"), ("сосо", "coco"), ("Рау", "Pay")),
    *(("ΑΝΝ", "ANN"), ("ΝΙΚΗ", "NIKH"), ("νοα", "voa"), ("Ηαν", "Hav"), ("ΤΟΜ", "ТОМ")),
    *(("\u04d0нна", "Анна"), ("A\u20ddnn", "Ann"), ("\u0131an", "Ian"), ("مُحَمَّد", "محمد")),
    *(("АВЕЅІЈКМНОРСТУХӀ", "ABESIJKMHOPCTYXI"), ("аеѕіјкорсухьѵүһӏԁԛԝ", "aesijkopcyxbvyhldqw")),
    *(("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), ("αγεηικνορυχωϳ", "ayenikvopuxwj")),
    ("ØøĐđĦħŁłɑɡ", "OoDdHhLlag"),
    *((f"O{sign}Brien", "OBrien") for sign in "ʹʻʼʽʾʿˈ"),
]

UNLIKE = [
    (ENGLAND, WALES),
    *(("Ann", "Anna"), ("Bob", "Rob"), ("Анна", "Anna"), ("Player 1", "Player 2")),
    *(("Player 1", "Player 11"), ("Player 10", "Player 1"), ("Tom", "Tim"), ("Jon", "John")),
    *(("李雷", "李磊"), ("かな", "がな"), ("Ann", "Ann \N{GAME DIE}"), ("कुमार", "केमार")),
    *(("ユキ", "ユーキ"), ("Ольга", "Олег"), ("Mia", "Mina"), ("Ann 5", "Ann S")),
]

LISTS = [
    ("Ann", [Seat("Ann")]),
    (" Ann ,Mary  Ann", [Seat("Ann"), Seat("Mary Ann")]),
    ("computer", [Seat("Computer", DEFAULT_KIND)]),
    ("Ann, COMPUTER", [Seat("Ann"), Seat("Computer", DEFAULT_KIND)]),
    ("computer:most", [Seat("Computer", "most")]),
    (" Robo = computer : most ", [Seat("Robo", "most")]),
    ("Robo=computer:fixed:7", [Seat("Robo", "fixed:7")]),
    ("computer:random:Pub a=b:c", [Seat("Computer", "random:Pub a=b:c")]),
    ("computer:random: a : b ", [Seat("Computer", "random:a : b")]),
    ("computer:random:x=computer", [Seat("Computer", "random:x=computer")]),
    ("computer=computer", [Seat("computer", DEFAULT_KIND)]),
    ("computer,computer:a-1", [Seat("Computer 1", DEFAULT_KIND), Seat("Computer 2", "a-1")]),
    (
        "computer,Computer l,computer",
        [Seat("Computer 2", "fewest"), Seat("Computer l"), Seat("Computer 3", "fewest")],
    ),
    ("Computer=computer,computer:x", [Seat("Computer", "fewest"), Seat("Computer 1", "x")]),
    (",".join("abcdefghjkmn"), [Seat(letter) for letter in "abcdefghjkmn"]),
    (
        ",".join(["computer"] * 12),
        [Seat(f"Computer {number}", DEFAULT_KIND) for number in range(1, 13)],
    ),
]

BAD_LISTS = [
    ("", ["1 to 12 players, not 0"]),
    (",".join("abcdefghjkmno"), ["1 to 12 players, not 13"]),
    ("Ann,", ["not 0: ''"]),
    ("=computer", ["not 0: ''"]),
    ("Ann=", ["after =", "not ''"]),
    ("Ann=Bob,Mary:x", ["not 'Bob'", "'Mary:x'"]),
    ("Ann:most", ["have a meaning", "'Ann:most'"]),
    ("computer:", ["fixed:7, not ':'"]),
    ("computer:,computer:", ["fixed:7, not ':'"]),
    ("Robo=computer:random:", ["not 'random:'"]),
    ("computer::7", ["not ':7'"]),
    ("computer:the most", ["not 'the most'"]),
    ("computer:random:a\x07b", ["'random:a\\x07b'"]),
    ("Robo!=computer:m?,!", ["not 'm?'", "unlike '!'"]),
    ("#!=computers", ["have a meaning", "not 'computers'"]),
    ("Ann,Bob,Ann", ["two players are called 'Ann'; give one of them another name"]),
    ("Ann,Bob,ANN", ["'Ann' and 'ANN' are too alike"]),
    ("Ann,ANN,A-n-n", ["'Ann' and 'ANN'", "'Ann' and 'A-n-n'"]),
    ("Robo=computer,robo", ["'Robo' and 'robo'"]),
    ("x" * 31 + ",An:n,,Bob,B0B", ["not 31: 'xxx", "'An:n'", "not 0", "'Bob' and 'B0B'"]),
    ("An#\x07n", ["invisible", "have a meaning"]),
    (",".join(["#"] * 5 + ["Ann"] * 9), ["not 14", "'#'", "called 'Ann'"]),
]
"""Lists that are refused, and everything that must be said about each."""


def refused(text: str) -> str:
    """What is said about a list of seats."""
    with pytest.raises(BadName) as refusal:
        read_seats(text)
    message = str(refusal.value)
    assert message.isprintable()
    assert not message.endswith(".")
    return message


def test_a_name_is_cleaned() -> None:
    assert_none(name for name in GOOD if read_seats(name) != (Seat(name),))
    assert_none(pair for pair in CLEANED if read_name(pair[0]) != pair[1])
    for text, clean in [*((name, name) for name in GOOD), *CLEANED]:
        for seats in (read_seats(f"{text},Zed"), read_players(f"{text},Zed")):
            assert seats == (Seat(clean), Seat("Zed"))
        assert visible(clean) == clean
        assert clean in shown(clean)
    for text in ("{}=computer:most, {}", "{} and {}", "{} vs {}, 3 rounds"):
        names = ("علی\u200cرضا", ENGLAND)
        assert tuple(seat.name for seat in read_terms(text.format(*names)).seats) == names


def test_a_bad_name_is_refused() -> None:
    for text, said in BAD:
        with pytest.raises(BadName, match=said) as refusal:
            read_name(text)
        message = str(refusal.value)
        assert message.isprintable()
        assert len(message) < 2000
        assert "\\" not in message or "have a meaning" in message


def test_names_that_are_alike_do_not_play_together() -> None:
    for pair in ALIKE:
        assert tuple(map(read_name, pair)) == pair
        for one, other in (pair, pair[::-1]):
            message = refused(f"{one},Zara,{other}")
            assert message == f"{one!r} and {other!r} are too alike for one game"


def test_names_that_can_be_told_apart_do() -> None:
    assert_none(pair for pair in UNLIKE if read_seats(",".join(pair)) != (*map(Seat, pair),))


def test_a_list_of_seats() -> None:
    for text, seats in LISTS:
        assert read_seats(text) == tuple(seats)
        assert read_seats(",".join(map(str, seats))) == tuple(seats)
        check_seats(seats)


def test_everything_wrong_with_a_list_is_said_at_once() -> None:
    for text, said in BAD_LISTS:
        message = refused(text)
        assert [part for part in said if part not in message] == []
        sentences = message.split("; ")
        assert len(set(sentences)) == len(sentences)


def test_seats_from_elsewhere_are_checked() -> None:
    said = {"Mary  Ann": "write 'Mary Ann'", "Ann ": "write 'Ann'", "Jose\u0301": "is not written"}
    for name, right in said.items():
        with pytest.raises(BadName, match=right):
            check_seats([Seat(name)])
    with pytest.raises(BadName, match="1 to 12 players, not 0"):
        check_seats([])


def test_of_too_many_seats_only_the_first_are_read() -> None:
    too_many = f"a game has 1 to 12 players, not {MOST_SEATS + 3}"
    assert refused(",".join("abcdefghjkmn") + ",#,x=y,computer:") == too_many
    seats = [*map(Seat, "abcdefghjkmn"), Seat("#"), Seat(""), Seat("x", "?")]
    with pytest.raises(BadName) as refusal:
        check_seats(seats)
    assert str(refusal.value) == too_many


@pytest.mark.parametrize(
    "text",
    [
        *("a" + "\u0301\u0323" * 200_000, "x" * 2_000_000, "a," * 500_000, " " * 2_000_000 + ","),
        *("computer:" + ":" * 1_000_000, "=" * 1_000_000, "\u0301 " * 500_000),
    ],
    ids=["marks", "letters", "commas", "spaces", "colons", "signs", "marks-and-spaces"],
)
def test_a_huge_text_is_refused_at_once(text: str) -> None:
    assert len(refused(text)) < 2000


STRANGE = [
    *("Ann", "ann", "Bob", "computer", "Computer 1", "=computer:", "=computer", ":random:", "most"),
    *(",", ", ", "=", ":", " ", "\t", "\n", "0", "O", "l", "1", "é", "e\u0301", "\u0301", "\ufe0f"),
    *("А", "Α", "\u200b", "\u3164", "\u2000", "\u037e", "\N{GAME DIE}", "!", "ß", "İ", "ŉ", "ﷺ"),
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(STRANGE), max_size=12).map("".join))


@given(TEXTS)
@example("\U0001d160" * 8)
def test_any_text_is_a_clean_name_or_a_bad_one(text: str) -> None:
    try:
        name = read_name(text)
    except BadName:
        return
    assert read_name(name) == name
    assert shown(name).count("\\") == 0
    assert is_normalized("NFC", name)
    assert 1 <= letters_in(name) <= LONGEST_NAME
    assert read_seats(name) == (Seat(name),)


@given(TEXTS)
def test_any_text_is_a_list_of_seats_or_a_bad_one(text: str) -> None:
    try:
        seats = read_seats(text)
    except BadName:
        assert refused(text)
        return
    assert 1 <= len(seats) <= MOST_SEATS
    assert read_seats(",".join(map(str, seats))) == seats
    check_seats(seats)


NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "Zs", "So", "Mn"]), max_size=9)
KINDS = st.sampled_from(["", "fewest", "most", "fixed:7", "random:a=b: c", "Bad kind", "x:"])


@given(st.lists(st.builds(Seat, NAMES, KINDS), max_size=MOST_SEATS + 1))
def test_whatever_is_checked_can_be_written_and_read(seats: list[Seat]) -> None:
    try:
        check_seats(seats)
    except BadName:
        return
    assert read_seats(",".join(map(str, seats))) == tuple(seats)
