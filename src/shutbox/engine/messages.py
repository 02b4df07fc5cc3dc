"""Translation of every sentence, so that another language is just a file of translations.

A sentence is one whole template with named arguments, in English: without another language, it is
its own translation. `make messages` collects the templates; see `docs/translating.md`. A process
has a language (`use`), and a request or a job in it can have its own (`speaking`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from gettext import NullTranslations

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
FOLDER = Path(__file__).parents[1] / "translations"  # with `de.po` for German

_folder = FOLDER
_used: "NullTranslations | None" = None  # of the process; None is English
_spoken: "ContextVar[NullTranslations | None]" = ContextVar("spoken")  # unset: that of the process
_loaded: "dict[str, NullTranslations | None]" = {"en": None}  # by language, of the folder in use
_marks: set[str] = set()


def gettext(template: str, /, **facts: object) -> str:
    """Return a sentence in the current language; `facts`, if any, fill its placeholders."""
    used = _spoken.get(_used)
    translated = template if used is None else _own(used.gettext(template))
    return _fill(translated, template, facts) if facts else translated


def pgettext(context: str, template: str, /, **facts: object) -> str:
    """Return what `gettext` does, for a template too short to be clear without `context`."""
    used = _spoken.get(_used)
    translated = template if used is None else _own(used.pgettext(context, template))
    return _fill(translated, template, facts) if facts else translated


def ngettext(singular: str, plural: str, number: int, /, **facts: object) -> str:
    """Return the singular or plural sentence; `number` fills `{number}` unless a fact does."""
    english = singular if abs(number) == 1 else plural
    return _fill(plural_template(singular, plural, number), english, {"number": number, **facts})


def _fill(template: str, english: str, facts: Mapping[str, object]) -> str:
    try:
        return template.format_map(facts)
    except (LookupError, ValueError, AttributeError):  # a placeholder that English lacks
        return english.format_map(facts)


def plural_template(singular: str, plural: str, number: int) -> str:
    """Return the singular or plural template for a number, its placeholders not filled in."""
    used = _spoken.get(_used)
    if used is None:
        return singular if abs(number) == 1 else plural
    return _own(used.ngettext(singular, plural, abs(number)))


def _own(translation: str) -> str:
    """Return a translation unchanged; its invisible characters are added to `marks`."""
    if not translation.isprintable():
        _marks.update(sign for sign in translation if not sign.isprintable())
    return translation


def marks() -> frozenset[str]:
    """Return the invisible characters in translations used since `use`, such as Persian joiners."""
    return frozenset(_marks)


def gettext_noop(template: str) -> str:
    """Return a template unchanged; the call marks one that is passed to `gettext` later."""
    return template


def pgettext_noop(context: str, template: str) -> str:
    """Return a template unchanged; the call marks one that is passed to `pgettext` later."""
    return template


def languages(folder: Path = FOLDER) -> list[str]:
    """Return the languages with translations in a folder, English first."""
    return ["en", *sorted(path.stem for path in folder.glob("*.po"))]


def best_match(tag: str, known: Iterable[str]) -> str | None:
    """Return the `known` language that fits a tag or a locale best, or None if none fits.

    >>> best_match("de-AT", ["en", "de"]), best_match("pt_BR.UTF-8", ["pt", "pt_BR"])
    ('de', 'pt_BR')
    """
    wanted = tag.lower().translate(_PARTS) + "-"
    fits = (each for each in known if wanted.startswith(each.lower().translate(_PARTS) + "-"))
    return max(fits, key=len, default=None)


_PARTS = str.maketrans("_.@", "---")


def language() -> str:
    """Return the current language, one of `languages`."""
    used = _spoken.get(_used)
    return "en" if used is None else used.info()["language"]


def folder() -> Path:
    """Return the folder of translations that is in use."""
    return _folder


def use(language: str, folder: Path = FOLDER) -> None:
    """Switch this process to one of the `languages` of a folder, and unload all others.

    Raises OSError or ValueError if its .po file cannot be read; the language is then English.
    """
    global _folder, _used
    _folder, _used = folder, None
    _marks.clear()
    _loaded.clear()
    _loaded["en"] = None
    if language != "en":
        _load(language)
    _used = _loaded[language]


def _load(language: str) -> None:
    # Imported here: English starts faster without it.
    from shutbox.engine.translations import read_translations

    file = _folder / f"{language}.po"
    try:
        catalogue = read_translations(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file.name}:{error}") from None
    catalogue.info()["language"] = language
    _loaded[language] = catalogue


def load_all() -> None:
    """Load all languages of the folder in use whose files can be read, for `speaking`."""
    for each in languages(_folder):
        with suppress(OSError, ValueError):
            if each not in _loaded:
                _load(each)


def loaded_languages() -> tuple[str, ...]:
    """Return the languages of the folder in use that are loaded, English first."""
    return tuple(_loaded)


@contextmanager
def speaking(language: str | None = None) -> Iterator[None]:
    """Use a language in a task's or thread's `with` block: the process's if None or not loaded."""
    token = _spoken.set(_loaded.get(language or "", _used))
    try:
        yield
    finally:
        _spoken.reset(token)


def cached(function: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Cache, for each language, a function of hashable arguments that returns sentences."""
    known = cache(lambda used, arguments: function(*arguments))
    return wraps(function)(lambda *arguments: known(_spoken.get(_used), arguments))  # type: ignore[return-value]
