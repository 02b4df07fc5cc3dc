"""Every sentence passes through here, so that another language is a file of translations.

A sentence is one whole template with named arguments, never glued from halves. English is the
language of the source: where no other is used, a template is its own translation. `make messages`
collects the templates; `docs/translating.md` says how a language is added.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN = "shutbox"
"""What a catalogue is called: `LANGUAGE/LC_MESSAGES/shutbox.mo`."""
FOLDER = Path(__file__).with_name("translations")

_used: "NullTranslations | None" = None


def gettext(template: str, **facts: object) -> str:
    """A sentence in the language that is used, its braces filled in.

    >>> gettext("{name} begins.", name="Ann")
    'Ann begins.'
    """
    found = template if _used is None else _used.gettext(template)
    return found.format_map(facts) if facts else found


def ngettext(one: str, many: str, number: int, **facts: object) -> str:
    """A sentence whose form depends on a number, which fills `{number}` unless a fact does.

    >>> ngettext("{number} chip", "{number} chips", 3)
    '3 chips'
    """
    if _used is None:
        found = one if abs(number) == 1 else many
    else:
        found = _used.ngettext(one, many, abs(number))
    return found.format_map({"number": number, **facts})


def gettext_noop(template: str) -> str:
    """A template for `gettext`, where a table holds it before anybody speaks."""
    return template


def use(language: str | None, folder: Path = FOLDER) -> None:
    """Speak this language from now on; None: English.

    Raises FileNotFoundError where there is no catalogue of that language.
    """
    global _used
    if language is None:
        _used = None
        return
    # Imported here: a game in English starts faster without it.
    from gettext import translation

    _used = translation(DOMAIN, folder, [language])
