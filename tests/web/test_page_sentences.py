"""Every sentence of pages and scripts is a template, and every page can be translated."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup

from pseudo_language import LANGUAGE, extracted, in_pseudo, translations
from shutbox import messages
from shutbox.web.pages import templates
from shutbox.web.pages.static_files import STATIC
from shutbox.web.pages.templates import FOLDER

PAGES = sorted((FOLDER / "templates").glob("*.html"))
SCRIPTS = sorted([*STATIC.rglob("*.js"), *FOLDER.glob("device/script/*.js")])

_TOKEN = re.compile(
    r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<script.*?</script>|<(?:[^<>{]|\{\{.*?\}\}|\{%.*?%\})*>",
    re.DOTALL,
)
_SHOWN = re.compile(r'\b(?:aria-label|alt|title|placeholder|content)="([^"{]*)')
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"' r"|`(?:[^`\\]|\\.)*`")
_CALL = re.compile(r'\bn?gettext\(\s*"(?:[^"\\]|\\.)*"(?:,\s*"(?:[^"\\]|\\.)*")?')
_PROSE = re.compile(r"[A-Za-z'][,;:]? [a-z$]|[a-z]{3,}[.?!…]\W*$|^[A-Z][a-z]+$|[a-z}] [a-z]{2,}")
NOT_SAID = {
    *("shutbox", "in hand", "one die", "4;url=/r/", 'class="narrow"', 'class="notice"'),
    *('aria-invalid="true"', "panel alert"),
    *("Escape", "Enter", "GET", "POST", "Accept", "Content-Type", "Retry-After", "not all"),
    *("lid shut", "lid opens", "die gem", "rack ${place}", "link ${label} ${address}"),
    *("Notification", "turn ${location.pathname}"),
    *("stand-in ${name}", "status ${this.table.id}", "${number} of ${most}", "${kind} fixed"),
}
"""Names, what is typed, keys of elements and their classes: the same in every language."""
_CSS = re.compile(r"[#[(]|\b(?:select|wl|w)\b|%d")
"""What is looked for on a page, and how things lie there."""


def escaped_from_page(text: str) -> Iterator[str]:
    """What a template of a page shows that passes by gettext."""
    for token in _TOKEN.findall(text):
        if token.startswith("<") and "viewport" not in token:
            yield from (words for words in _SHOWN.findall(token) if re.search("[a-z]{2}", words))
        elif token.startswith(("{{", "{%")):
            code = re.sub(r"\bn?gettext\(\s*\"[^\"]*\"(?:, \"[^\"]*\")?", "", token)
            plain = re.sub(r"<[^>]*>", "", code)
            yield from (w for w in re.findall(r'"([^"]*)"', plain) if _PROSE.search(w))
    # What is only in the markup of a key is typed: `r`, `1 7`.
    shown = re.sub(r"<(kbd|code)>.*?</\1>", "", text, flags=re.DOTALL)
    for words in _TOKEN.sub("\0", shown).split("\0"):
        if re.search("[A-Za-z]{2}", words):
            yield words.strip()


def escaped_from_script(text: str) -> Iterator[str]:
    """The literals of a script that look like sentences and pass by gettext."""
    code = re.sub(r"(?m)^\s*(?://|/?\*).*$|\s// .*$", "", text)
    code = re.sub(r"(?m)^(?:import|export)\b[^;]*\bfrom .*$", "", code)
    for literal in _LITERAL.findall(_CALL.sub("", code)):
        words = literal[1:-1]
        if _PROSE.search(words):
            yield words


def unsaid(found: Iterator[str]) -> list[str]:
    """What of these is a sentence."""
    return [words for words in found if words not in NOT_SAID and not _CSS.search(words)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_sentence_of_a_page_is_a_template(path: Path) -> None:
    assert unsaid(escaped_from_page(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_sentence_of_the_script_is_a_template(path: Path) -> None:
    assert unsaid(escaped_from_script(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "<p>Your turn</p>",
        "<p>{{ name }} begins.</p>",
        '<button aria-label="More choices">',
        '<p>{{ "Your turn" if mine else "" }}</p>',
        '<p>{{ gettext("Your turn") }} now</p>',
        '{{ does("leave", i, "Leave this seat") }}',
    ],
)
def test_a_sentence_that_escapes_from_a_page_is_found(source: str) -> None:
    assert unsaid(escaped_from_page(source))


@pytest.mark.parametrize(
    "source",
    [
        'say(["Sound on."]);',
        "const says = `${name} begins`;",
        'text(button, "Undo");',
        'gettext("Throw {dice}", { dice: isOne ? "one die" : "the dice" });',
        'keys.push(["h", "a hint", does.hints]);',
    ],
)
def test_a_sentence_that_escapes_from_the_script_is_found(source: str) -> None:
    assert unsaid(escaped_from_script(source))


@pytest.fixture
def pseudo() -> Iterator[None]:
    """The pseudo-language is spoken."""
    messages.use(LANGUAGE, translations())
    yield
    messages.use("en")


def test_in_english_a_page_brings_no_translations() -> None:
    assert templates.translations() == {}


@pytest.mark.usefixtures("pseudo")
def test_a_page_brings_every_template_of_the_script() -> None:
    brought = templates.translations()
    collected = {
        message.id
        for message in extracted()
        if any("web/static/" in path for path, _ in message.locations)
    }
    assert {one if isinstance(one, str) else one[0] for one in collected} == set(brought)
    assert brought["Play again"] == in_pseudo("Play again")


@pytest.mark.usefixtures("pseudo")
def test_the_form_for_each_number_comes_along() -> None:
    forms = templates.translations()["{number} watching."]
    one, many = in_pseudo("{number} watching."), in_pseudo("{number} watching.²")
    assert len(forms) == 200
    assert [forms[n] for n in (1, 2, 11, 22, 101)] == [one, one, many, one, many]


@pytest.mark.usefixtures("pseudo")
def test_what_is_put_into_a_sentence_of_a_page_is_escaped() -> None:
    said = templates._gettext("The turn of {name}", name="<b>")
    assert said == Markup(in_pseudo("The turn of {name}").replace("{name}", "&lt;b&gt;"))
    assert templates._ngettext("{number} watching.", "{number} watching.", 3).startswith("«3 ")
