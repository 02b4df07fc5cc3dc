"""Translation of every sentence, so that another language is just a file of translations.

A sentence is one whole template with named arguments, never assembled from parts. English is the
language of the source: without another language, a template is its own translation.
`make messages` collects the templates, and `docs/translating.md` describes how to add a language.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

FOLDER = Path(__file__).with_name("translations")  # `de.po`, and `de.mo` compiled from it

_language, _folder = "en", FOLDER
_used: "NullTranslations | None" = None
_marks: set[str] = set()


def gettext(template: str, /, **facts: object) -> str:
    """Return a sentence in the current language, its placeholders filled in."""
    found = template if _used is None else _own(_used.gettext(template))
    return _filled(found, template, facts) if facts else found


def ngettext(one: str, many: str, number: int, /, **facts: object) -> str:
    """Return the singular or plural sentence; `number` fills `{number}` unless a fact does."""
    english = one if abs(number) == 1 else many
    return _filled(form(one, many, number), english, {"number": number, **facts})


def _filled(found: str, english: str, facts: Mapping[str, object]) -> str:
    try:
        return found.format_map(facts)
    except (LookupError, ValueError, AttributeError):  # a placeholder that English lacks
        return english.format_map(facts)


def form(one: str, many: str, number: int) -> str:
    """Return the singular or plural template for a number, its placeholders not filled in."""
    if _used is None:
        return one if abs(number) == 1 else many
    return _own(_used.ngettext(one, many, abs(number)))


def _own(found: str) -> str:
    if not found.isprintable():
        _marks.update(sign for sign in found if not sign.isprintable())
    return found


def marks() -> frozenset[str]:
    """Return the invisible characters in translations used so far, such as Persian joiners."""
    return frozenset(_marks)


def gettext_noop(template: str) -> str:
    """Return a template unchanged; the call marks one that is passed to `gettext` later."""
    return template


def languages(folder: Path = FOLDER) -> list[str]:
    """Return the languages with translations in a folder, English first."""
    return ["en", *sorted(path.stem for path in folder.glob("*.mo"))]


def language() -> str:
    """Return the current language, one of `languages`."""
    return _language


def folder() -> Path:
    """Return the folder of translations that is in use."""
    return _folder


def use(language: str, folder: Path = FOLDER) -> None:
    """Switch to one of the `languages` of a folder.

    Raises OSError if its file cannot be read, and ValueError if that is not a .mo file. After
    either, the language is English.
    """
    global _language, _folder, _used
    _language, _folder, _used = "en", folder, None
    _marks.clear()
    if language != "en":
        from gettext import GNUTranslations  # imported here: English starts faster without it

        with (folder / f"{language}.mo").open("rb") as file:
            try:
                _used = GNUTranslations(file)
            except Exception as error:  # of many types, depending on the fault
                raise ValueError(str(error)) from None
        _language = language
