"""Every sentence passes through here, so that another language is a file of translations.

A sentence is one whole template with named arguments, never glued from halves. English is the
language of the source: where no other is used, a template is its own translation. `make messages`
collects the templates, and `docs/translating.md` says how a language is added.
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
    """A sentence in the language that is used, its braces filled in."""
    found = template if _used is None else _own(_used.gettext(template))
    return _filled(found, template, facts) if facts else found


def ngettext(one: str, many: str, number: int, /, **facts: object) -> str:
    """A sentence whose form depends on a number, which fills `{number}` unless a fact does."""
    english = one if abs(number) == 1 else many
    return _filled(form(one, many, number), english, {"number": number, **facts})


def _filled(found: str, english: str, facts: Mapping[str, object]) -> str:
    try:
        return found.format_map(facts)
    except (LookupError, ValueError, AttributeError):  # a brace that English has not
        return english.format_map(facts)


def form(one: str, many: str, number: int) -> str:
    """The template for so many things, not filled in."""
    if _used is None:
        return one if abs(number) == 1 else many
    return _own(_used.ngettext(one, many, abs(number)))


def _own(found: str) -> str:
    if not found.isprintable():
        _marks.update(sign for sign in found if not sign.isprintable())
    return found


def marks() -> frozenset[str]:
    """What is not seen and yet meant, such as the joiners of Persian, in what was said so far."""
    return frozenset(_marks)


def gettext_noop(template: str) -> str:
    """A template for `gettext`, where a table holds it before anybody speaks."""
    return template


def languages(folder: Path = FOLDER) -> list[str]:
    """The languages that can be spoken, English first."""
    return ["en", *sorted(path.stem for path in folder.glob("*.mo"))]


def language() -> str:
    """The one of the `languages` that is spoken."""
    return _language


def folder() -> Path:
    """The folder in which languages are looked for."""
    return _folder


def use(language: str, folder: Path = FOLDER) -> None:
    """Speak one of the `languages` from now on.

    Raises OSError where its file cannot be read, and ValueError where that is no .mo file.
    """
    global _language, _folder, _used
    _language, _folder, _used = "en", folder, None
    _marks.clear()
    if language != "en":
        from gettext import GNUTranslations  # here: a game in English starts faster without

        with (folder / f"{language}.mo").open("rb") as file:
            try:
                _used = GNUTranslations(file)
            except Exception as error:  # many kinds, by what is wrong in the file
                raise ValueError(str(error)) from None
        _language = language
