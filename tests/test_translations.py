"""A file of translations is believed in nothing: each of its faults is told as one ValueError."""

from pathlib import Path

import pytest

from shutbox import messages

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'


def spoken(folder: Path, text: str) -> None:
    (folder / "xx.po").write_text(text, encoding="utf-8")
    messages.use("xx", folder)


@pytest.mark.parametrize(
    "translation",
    ["{name.__class__}", "{missing}", "{0}", "{}", "{name", "}", "{name!r}", "{name:>9999999999}"],
)
def test_a_translation_has_the_fields_of_its_template_alone(
    tmp_path: Path, translation: str
) -> None:
    with pytest.raises(ValueError, match=r"\Aline 4: \{name\} begins\.\Z"):
        spoken(tmp_path, f'{HEAD}\nmsgid "{{name}} begins."\nmsgstr "{translation}"\n')
    assert messages.language() == "en"


def test_every_form_of_a_number_has_the_fields_of_its_template_alone(tmp_path: Path) -> None:
    entry = 'msgid "a chip"\nmsgid_plural "{{number}} chips"\nmsgstr[0] "{}"\nmsgstr[1] "{}"\n'
    with pytest.raises(ValueError, match="a chip"):
        spoken(tmp_path, HEAD + entry.format("{number}", "{count}"))
    try:
        spoken(tmp_path, HEAD + entry.format("{number} Chip", "Chips"))
        assert messages.ngettext("a chip", "{number} chips", 1) == "1 Chip"
    finally:
        messages.use("en")


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: text/plain",
        "Content-Type: text/plain; charset=klingon",
        "Plural-Forms: many",
        "Plural-Forms: nplurals=2; plural=n/0",
        "Plural-Forms: nplurals=2; plural=5%n",
        "Plural-Forms: nplurals=2; plural=" + "(" * 300,
        "Plural-Forms: nplurals=2; plural=__import__",
    ],
)
def test_a_head_that_cannot_be_read_is_a_value_error(tmp_path: Path, head: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        spoken(tmp_path, f'msgid ""\nmsgstr "{head}\\n"\n')
    assert messages.language() == "en"


def test_what_has_no_fields_is_translated(tmp_path: Path) -> None:
    try:
        spoken(tmp_path, f'{HEAD}msgid "no sentence"\nmsgstr "kein Satz"\n')
        assert messages.gettext("no sentence") == "kein Satz"
    finally:
        messages.use("en")
