"""Languages: how one is chosen, what its file may contain, and that a new one is a single file."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from pseudo_language import (
    LANGUAGE,
    PLURALS,
    compiled,
    environment,
    extracted,
    in_pseudo,
    translations,
)
from records import positions, random_play
from shutbox import catalogue, find
from shutbox.cli.main import main
from shutbox.engine import messages
from shutbox.engine.english import dice_words, listed, percent, runs
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import replayed
from shutbox.engine.typed_text import dice_text, typed_words
from shutbox.match import Format, Match
from shutbox.table.lookup import find_any
from shutbox.table.table import meant

AnyGame = Game[Any, Any]
HEAD = f'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: {PLURALS};\\n"\n'


@pytest.fixture(autouse=True)
def afterwards_in_english() -> Iterator[None]:
    yield
    messages.use("en")


def spoken(folder: Path, entries: str) -> None:
    """Use a language of these entries."""
    compiled(f"{HEAD}\n{entries}", folder / "xx.mo")
    messages.use("xx", folder)


def test_what_is_not_translated_is_english(tmp_path: Path) -> None:
    spoken(
        tmp_path,
        'msgid "{name} begins."\nmsgstr "{name} beginnt."\n\n'
        '#, fuzzy\nmsgid "{name} has won."\nmsgstr "{name} hat?"\n\n'
        'msgid "The match is over."\nmsgstr ""\n\n#~ msgid "gone"\n#~ msgstr "weg"\n',
    )
    assert gettext("{name} begins.", name="Ann") == "Ann beginnt."
    assert gettext("{name} has won.", name="Ann") == "Ann has won."
    assert gettext("The match is over.") == "The match is over."
    assert gettext("gone") == "gone"


@pytest.mark.parametrize(("number", "said"), [(1, "1 a"), (-1, "-1 a"), (3, "3 b"), (11, "11 c")])
def test_the_plural_is_the_languages_own(tmp_path: Path, number: int, said: str) -> None:
    spoken(
        tmp_path,
        'msgid "{number} chip"\nmsgid_plural "{number} chips"\n'
        'msgstr[0] "{number} a"\nmsgstr[1] "{number} b"\nmsgstr[2] "{number} c"\n',
    )
    assert ngettext("{number} chip", "{number} chips", number) == said


@pytest.mark.parametrize("content", [b"", b"hello", b"\xde\x12\x04\x95" + b"\xff" * 40])
def test_a_file_that_is_none_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "xx.mo").write_bytes(content)
    with pytest.raises((ValueError, OSError)):
        messages.use("xx", tmp_path)
    assert messages.language() == "en"


@pytest.mark.parametrize("translation", ["{missing}", "{0}", "{}", "{name", "}", "{name.no}"])
def test_a_translation_with_a_brace_that_english_has_not_is_english(
    tmp_path: Path, translation: str
) -> None:
    catalogue = Catalog("de")
    catalogue.add("{name} begins.", translation)
    catalogue.add(("{number} chip", "{number} chips"), (translation, translation))
    with (tmp_path / "xx.mo").open("wb") as file:
        write_mo(file, catalogue)
    messages.use("xx", tmp_path)
    assert gettext("{name} begins.", name="Ann") == "Ann begins."
    assert ngettext("{number} chip", "{number} chips", 2) == "2 chips"


def test_what_is_typed_is_english_in_every_language() -> None:
    messages.use(LANGUAGE, translations())
    assert typed_words("One and seven") == ["1", "7"]
    assert (dice_text(1), dice_text(2)) == ("one die", "two dice")
    assert dice_words(2) == "«2 đíçé·»"
    assert listed([1, 5, 9]) == "«1«, »5 áñđ 9·»"
    assert runs([1, 2, 3]) == "«1 ťó 3·»"
    assert percent(0.5) == "«50 %»"


MATCH = Match(find("lucky-seven"), Format.parse("stake=1,purse=1.20"), ["Ann", "Bob"])


@pytest.mark.parametrize(
    "game", [*(find(entry.name) for entry in catalogue()), MATCH], ids=lambda game: game.name
)
def test_the_english_words_of_an_offer_are_understood_in_every_language(game: AnyGame) -> None:
    said: list[tuple[Any, str, str]] = []
    for position in positions(game, plays=8, most_events=10):
        # Of several kinds of dice in the tray one is typed as `hold d20-5`.
        offers = [offer for offer in game.scene(position).offers if " on a d" not in offer.says]
        said += [(position, offer.text, offer.says) for offer in (*offers[:8], *offers[-1:])]
    messages.use(LANGUAGE, translations())
    for position, text, says in said:
        _, offer = meant(game, position, game.scene(position), says)
        assert offer.text == text


def test_every_template_is_collected_and_marked() -> None:
    templates = [message.id for message in extracted() if message.id]
    assert len(templates) > 500
    assert "Shut the Box under all its house rules." in templates
    assert ("{number} throw is compared.", "{number} throws are compared.") in templates


@pytest.mark.parametrize("language", ["xx", "../en"])
def test_an_unknown_language_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    monkeypatch.setenv("SHUTBOX_LANGUAGE", language)
    assert main(["games"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("shutbox: SHUTBOX_LANGUAGE: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "variables", "is_pseudo"),
    [
        ("--language qps games", {}, True),
        ("games --language qps --language en", {}, False),
        ("games --language qps", {"SHUTBOX_LANGUAGE": "en", "LC_ALL": "en_US.UTF-8"}, True),
        ("games", {"SHUTBOX_LANGUAGE": "qps", "LC_ALL": "en_US.UTF-8"}, True),
        ("games", {"SHUTBOX_LANGUAGE": "en", "LC_ALL": "qps"}, False),
        ("games", {"LC_ALL": "qps_AQ.UTF-8@latin", "LANG": "en_GB"}, True),
        ("games", {"LC_ALL": "C", "LANG": "qps"}, False),
        ("games", {"LC_MESSAGES": "qps", "LANG": "en_GB"}, True),
        ("games", {"LC_ALL": "", "LANG": "qps"}, True),
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


def test_a_locale_whose_translations_are_damaged_is_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "xx.mo").write_bytes(b"hello")
    monkeypatch.setenv("SHUTBOX_TRANSLATIONS", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "xx")
    assert main(["games"]) == 0
    assert capsys.readouterr().out.startswith("classic: ")


def test_an_option_is_translated_help_and_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHUTBOX_TRANSLATIONS", environment()["SHUTBOX_TRANSLATIONS"])
    with pytest.raises(SystemExit):
        main(["games", "--help", "--language", LANGUAGE])
    assert in_pseudo("print JSON for programs") in " ".join(capsys.readouterr().out.split())
    monkeypatch.setenv("SHUTBOX_PLAY", f"--language {LANGUAGE} --pace nonsense")
    with pytest.raises(SystemExit):
        main(["play"])
    assert "«" in capsys.readouterr().err


def test_a_block_speaks_a_language_and_what_runs_beside_it_does_not() -> None:
    messages.use("en", translations())
    messages.load_all()
    assert messages.loaded() == ("en", LANGUAGE)
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
    events = list(replayed(played, random_play(played, 1, 30).log))
    for event in events:
        for language, told in spoken.items():
            with messages.speaking(language):
                told.append(both.after(event))
    for language, told in spoken.items():
        with messages.speaking(language):
            alone = Narrator(played, ["Ann", "Bob"])
            assert [alone.begin(), *map(alone.after, events)] == told
            assert [both.after(event) for event in reversed(events)] == told[:0:-1]


def test_a_short_template_has_a_translation_for_each_context(tmp_path: Path) -> None:
    spoken(
        tmp_path,
        'msgctxt "button"\nmsgid "Watch"\nmsgstr "Zusehen"\n\n'
        'msgctxt "device"\nmsgid "Watch"\nmsgstr "Uhr"\n',
    )
    assert pgettext("button", "Watch") == "Zusehen"
    assert pgettext("device", "Watch") == "Uhr"
    assert pgettext("title", "Watch") == gettext("Watch") == "Watch"
