"""Languages: how one is chosen, what its file may contain, and that a new one is a single file."""

import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import translations as tool
from babel.messages.catalog import Catalog
from translations import faults, forms, is_whole, read, update

from listing import assert_none
from pseudo_language import (
    LANGUAGE,
    english,
    environment,
    in_pseudo,
    outside,
    templates,
    translations,
)
from records import positions, random_play
from shutbox import catalogue, find
from shutbox.cli.main import main
from shutbox.engine import messages
from shutbox.engine.english import (
    decimal,
    decimal_or_whole,
    dice_words,
    figure,
    listed,
    percent,
    runs,
)
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import replay_log
from shutbox.engine.typed_text import dice_text, typed_words
from shutbox.match import Format, Match
from shutbox.solving.review.report import Unit
from shutbox.solving.review.review_text import amount_words
from shutbox.table.lookup import find_any, match_of
from shutbox.table.table import read_choice
from shutbox.web.pages.templates import in_words

AnyGame = Game[Any, Any]
DATA = Path(__file__).parents[1] / "data"
NL = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)


@pytest.fixture(autouse=True)
def afterwards_in_english() -> Iterator[None]:
    yield
    messages.use("en")


def test_what_a_file_says_is_told_and_the_rest_is_english() -> None:
    messages.use("small", DATA)
    assert gettext("{name} begins.", name="Ann") == "Ann beginnt."
    assert gettext("{name} has won.", name="Ann") == "Ann has won."  # it is fuzzy
    assert gettext("The match is over.") == "The match is over."
    assert gettext("gone") == "gone"
    for number, said in ((1, "1 a"), (-1, "-1 a"), (3, "3 b"), (11, "11 c")):
        assert ngettext("{number} chip", "{number} chips", number) == said
    assert pgettext("button", "Watch") == "Zusehen"
    assert pgettext("device", "Watch") == "Uhr"
    assert pgettext("title", "Watch") == gettext("Watch") == "Watch"
    assert (decimal(11.25), decimal_or_whole(14.0), percent(0.071)) == ("11,3", "14", "7,1 %")
    assert figure(1.5) == "1.5"  # in the text of objects, which is notation


def test_what_is_typed_is_understood_in_the_language_of_the_game_and_in_english() -> None:
    messages.use("small", DATA)
    assert typed_words("Eins und sieben") == typed_words("ONE sowie 7") == ["1", "7"]
    assert typed_words("one and seven") == ["1", "7"]  # the English word wins
    assert find("classic").parse_choice(find("classic").position_at("1.7/5+3"), "eins und sieben")
    messages.use(LANGUAGE, translations())
    assert typed_words("One and seven") == ["1", "7"]
    assert (dice_text(1), dice_words(2)) == ("one die", "«2 đíçé·»")
    assert (listed([1, 5, 9]), runs([1, 2, 3])) == ("«1«, »5 áñđ 9·»", "«1 ťó 3·»")


@pytest.mark.parametrize("content", [b"", b"hello", b'msgid "a"\nmsgstr "b"', b"\xff" * 40])
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "xx.po").write_bytes(content)
    with pytest.raises((ValueError, OSError)):
        messages.use("xx", tmp_path)
    assert messages.language() == "en"


@pytest.mark.parametrize("translation", ["{missing}", "{0}", "{}", "{name", "}", "{name.no}"])
def test_a_translation_with_a_brace_that_english_has_not_is_english(
    tmp_path: Path, translation: str
) -> None:
    entries = (
        f'msgid "{{name}} begins."\nmsgstr "{translation}"\n\n'
        'msgid "{number} chip"\nmsgid_plural "{number} chips"\n'
        f'msgstr[0] "{translation}"\nmsgstr[1] "{translation}"\n'
    )
    (tmp_path / "xx.po").write_text(f"{NL}{entries}", encoding="utf-8")
    messages.use("xx", tmp_path)
    assert gettext("{name} begins.", name="Ann") == "Ann begins."
    assert ngettext("{number} chip", "{number} chips", 2) == "2 chips"


def test_the_english_words_of_an_offer_are_understood_in_every_language() -> None:
    said: list[tuple[AnyGame, Any, str, str]] = []
    chips = Match(find("lucky-seven"), Format.parse("stake=1,purse=1.20"), ["Ann", "Bob"])
    for game in (chips, *(find(entry.name) for entry in catalogue())):
        for position in positions(game, plays=4, most_events=10):
            # Of several kinds of dice in the tray one is typed as `hold d20-5`.
            offers = [one for one in game.scene(position).offers if " on a d" not in one.says]
            offers = [*offers[:4], *offers[-1:]]
            said += [(game, position, offer.text, offer.says) for offer in offers]
    messages.use(LANGUAGE, translations())
    for game, position, text, says in said:
        _, offer = read_choice(game, position, game.scene(position), says)
        assert offer.text == text


def test_a_game_has_titles_in_the_language_which_find_it_as_its_english_ones_do() -> None:
    three = find("classic(tiles=1-3)")
    assert three.card().title == "Classic with three tiles"
    messages.use("de")
    assert find("Klappbox") == find("mach zu") == find("Shut the Box") == find("classic")
    assert find_any("Kneipenspiel").name == find_any("pub").name
    assert (three.card().title, find_any("pub").card().title) == (
        "Klappbox mit 3 Klappen",
        "Kneipenspiel",
    )


def test_who_has_no_chips_answers_in_the_words_of_the_question() -> None:
    match = match_of("lucky-seven", ["Ann", "Bob"], "stake=1,purse=1.5")
    for language in ("de", "fr"):
        messages.use(language)
        for offer in match.scene(match.start()).offers:
            assert match.choice_text(match.parse_choice(match.start(), offer.says)) == offer.text


def test_fractions_and_first_days_have_the_french_form_for_one() -> None:
    messages.use("fr")
    amounts = [amount_words(Unit.POINTS, number) for number in (0.04, 0.4, 1.5, 2.5)]
    assert amounts == ["moins de 0,1 point", "0,4 point", "1,5 point", "2,5 points"]
    assert in_words("2026-05-01") == "1er mai 2026"
    assert in_words("2026-05-02", year=False) == "2 mai"


def test_every_template_is_collected_with_what_translators_are_told() -> None:
    about = {(m.context, m.id): m.auto_comments for m in templates() if m.id}
    assert len(about) > 500
    assert (None, "Shut the Box under all its house rules.") in about
    assert (None, ("{number} throw is compared.", "{number} throws are compared.")) in about
    assert about["title of a game", "Thai Style"][0] == "as in Thailand: one tile with each throw"
    assert about["typed", "keep"][0].startswith("Cargo and the tray: ")


def test_an_unknown_language_is_refused_in_one_sentence_and_a_damaged_locale_is_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for language in ("xx", "../en"):
        monkeypatch.setenv("SHUTBOX_LANGUAGE", language)
        assert main(["games"]) == 1
        said = capsys.readouterr()
        assert said.err.startswith("shutbox: SHUTBOX_LANGUAGE: ")
        assert said.err.count("\n") == 1
    (tmp_path / "xx.po").write_bytes(b"hello")
    monkeypatch.delenv("SHUTBOX_LANGUAGE")
    monkeypatch.setenv("SHUTBOX_TRANSLATIONS", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "xx")
    assert main(["games"]) == 0
    assert capsys.readouterr().out.startswith("classic: ")


@pytest.mark.parametrize(
    ("words", "variables", "is_pseudo"),
    [
        ("--language qps games", {}, True),
        ("games --language qps", {"SHUTBOX_LANGUAGE": "en", "LC_ALL": "en_US.UTF-8"}, True),
        ("games", {"SHUTBOX_LANGUAGE": "qps", "LC_ALL": "en_US.UTF-8"}, True),
        ("games", {"LC_ALL": "qps_AQ.UTF-8@latin", "LANG": "en_GB"}, True),
        ("games", {"LC_ALL": "C", "LANG": "qps"}, False),
        ("games", {"LC_MESSAGES": "qps", "LANG": "en_GB"}, True),
        ("games", {"LANG": "../qps"}, False),
        ("games", {}, False),
    ],
)
def test_the_language_of_an_option_a_variable_or_the_locale(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    variables: dict[str, str],
    is_pseudo: bool,
) -> None:
    for name in ("SHUTBOX_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**environment(), "SHUTBOX_LANGUAGE": "", **variables}.items():
        monkeypatch.setenv(name, value)
    assert main(words.split()) == 0
    assert capsys.readouterr().out.startswith("«" if is_pseudo else "classic: ")


def test_an_option_is_translated_help_and_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHUTBOX_TRANSLATIONS", environment()["SHUTBOX_TRANSLATIONS"])
    for words in (
        "games --help",
        "odds",
        "play --seed",
        "play --coach=1",
        "play --seed a --dice hand",
    ):
        with pytest.raises(SystemExit):
            main([*words.split(), "--language", LANGUAGE])
    said = capsys.readouterr()
    assert in_pseudo("print JSON for programs") in " ".join(said.out.split())
    notation = re.compile(r"shutbox [a-z]+|\[.*?\]|--?[a-z-]+|\b[A-Z]+\b|'1'")
    assert_none(english(notation.sub("", " ".join(outside(said.out + said.err).split()))))


def test_a_block_speaks_a_language_and_what_runs_beside_it_does_not() -> None:
    messages.use("en", translations())
    messages.load_all()
    assert messages.loaded_languages() == ("en", LANGUAGE)
    match = Match(find("classic"), Format.parse("rounds=1"), ["Ann", "Bob"])
    cards = messages.cached(lambda name: gettext("{name} begins.", name=name))
    for _ in range(2):  # what is cached of one language is not told in another
        assert cards("Ann") == "Ann begins."
        with messages.speaking(LANGUAGE):
            assert (messages.language(), cards("Ann")[0]) == (LANGUAGE, "«")
            with ThreadPoolExecutor() as threads:
                assert threads.submit(messages.language).result() == "en"
            with messages.speaking():
                assert messages.language() == "en"
            with messages.speaking("../qps"):
                assert messages.language() == "en"
            assert messages.language() == LANGUAGE
            assert match.shut == in_pseudo("the box shut")
        assert match.shut == "the box shut"
    assert messages.language() == "en"


@pytest.mark.parametrize("name", ["classic", "cargo", "classic[seats=2,rounds=1]"])
def test_a_play_can_be_narrated_in_two_languages_at_once(name: str) -> None:
    """Each event in both, and all again later, is told as in a play in one language alone."""
    messages.use("en", translations())
    messages.load_all()
    played = find_any(name)
    both = Narrator(played, ["Ann", "Bob"])
    spoken: dict[str, list[Any]] = {"en": [], LANGUAGE: []}
    for language, told in spoken.items():
        with messages.speaking(language):
            told.append(both.begin())
    events = list(replay_log(played, random_play(played, 1, 30).log))
    for event in events:
        for language, told in spoken.items():
            with messages.speaking(language):
                told.append(both.after(event))
    for language, told in spoken.items():
        with messages.speaking(language):
            alone = Narrator(played, ["Ann", "Bob"])
            assert [alone.begin(), *map(alone.after, events)] == told
            assert [both.after(event) for event in reversed(events)] == told[:0:-1]


LANGUAGES = sorted(messages.FOLDER.glob("*.po"), key=lambda path: path.stem)


WHOLE = {"de", "fr"}


def test_no_translation_has_a_fault() -> None:
    assert {path.stem for path in LANGUAGES} >= WHOLE
    assert_none(fault for path in LANGUAGES for fault in faults(read(path)))


@pytest.mark.nightly("cases")
@pytest.mark.parametrize("language", sorted(WHOLE))
def test_a_language_is_whole(language: str) -> None:
    catalogue = read(messages.FOLDER / f"{language}.po")
    known = {(m.context, forms(m.id)) for m in catalogue if m.id and is_whole(m)}
    assert_none(m.id for m in templates() if m.id and (m.context, forms(m.id)) not in known)


FAULTS = tomllib.loads((DATA / "translations.toml").read_text(encoding="utf-8"))["fault"]


def test_a_fault_of_a_translation_is_named(tmp_path: Path) -> None:
    file = tmp_path / "nl.po"
    for case in FAULTS:
        file.write_text(f"{NL}{case['entries']}", encoding="utf-8")
        assert [*faults(read(file))] == [case["says"]] * bool(case["says"])


PLURAL = 'msgid "{number} chip"\nmsgid_plural "{number} chips"\nmsgstr[0] "a"\nmsgstr[1] "b"\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f'{NL}msgid "a"\nmsgstr "b.\n', 'nl.po:7: msgstr "b.'),
        (f'{NL}{PLURAL}msgstr[2] "c"\n', "nl.po:7: 3 forms; the head says nplurals=2"),
        (f"{NL}{PLURAL}".replace("!=", "!=="), "nl.po:invalid token in plural form: ="),
    ],
)
def test_a_file_that_is_not_read_whole_stays_as_it_is(
    tmp_path: Path, text: str, fault: str
) -> None:
    file = tmp_path / "nl.po"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(fault)}$"):
        update(file, Catalog())
    assert file.read_text(encoding="utf-8") == text


def test_faults_are_printed_first_then_what_a_player_meets_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    templates = Catalog()
    for folder, text in (("cli", "Delete"), ("games", "Shut"), ("term", "{name} throws.")):
        templates.add(text, locations=[(f"src/shutbox/{folder}/x.py", 1)])
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    monkeypatch.setattr(tool, "SHOWN", 1)
    monkeypatch.setattr(tool, "collected", lambda: templates)
    file = tmp_path / "nl.po"
    assert tool.main("nl") == 0
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('throws."\nmsgstr ""', 'throws."\nmsgstr "werpt"'), "utf-8")
    capsys.readouterr()
    assert tool.main() == 1
    said = re.sub(r"(?<=nl.po:)\d+", "N", capsys.readouterr().out).splitlines()
    assert said == [
        "nl.po:N: {name} of '{name} throws.' is missing; it is shown without this fact",
        "nl: 33 % of 3 sentences; 2 stay English. The first 1:",
        "    nl.po:N: Shut",
    ]
