"""Every sentence of pages and scripts is a template, and every page can be translated."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup

from pseudo_language import LANGUAGE, NAMES, extracted, in_pseudo, translations
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
_CALL = re.compile(r'\b[np]?gettext\(\s*"(?:[^"\\]|\\.)*"(?:,\s*"(?:[^"\\]|\\.)*")?')
_ALONE = re.compile(r'(?<![a-z])gettext\(\s*"((?:[^"\\]|\\.)*)"')
_SUBJECT = re.compile(r"(?:^|[.?!:;,(·] |\(|\b(?:and|or|when|if|that) )$")
_PROSE = re.compile(r"[A-Za-z'][,;:]? [a-z$]|[a-z]{3,}[.?!…]\W*$|^[A-Z][a-z]+$|[a-z}] [a-z]{2,}")
NOT_SAID = {
    *("shutbox", "in hand", "one die", "4;url=/r/", 'class="narrow"', 'class="notice"'),
    *('aria-invalid="true"', "panel alert"),
    *("Escape", "Enter", "GET", "POST", "Accept", "Content-Type", "Retry-After", "not all"),
    *("lid shut", "lid opens", "die gem", "rack ${place}", "link ${label} ${address}"),
    *("Notification", "turn ${location.pathname}", "turn ${path}", "last ${i}"),
    *("summary_large_image", "best ${game}"),
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
            code = re.sub(r"\b[np]?gettext\(\s*\"[^\"]*\"(?:, \"[^\"]*\")?", "", token)
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


def without_context(text: str) -> Iterator[str]:
    """Templates of at most two words that say nothing about where they stand."""
    for template in _ALONE.findall(text):
        words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", template)
        if 0 < len(words) <= 2 and "{" not in template:
            yield template


def declined(template: str) -> list[str]:
    """The names of people in a template that another language would have to decline.

    A name begins a clause, stands after a colon, a comma or an opening bracket, or after "and".
    """
    fields = (m for m in re.finditer(r"\{(\w+)[^}]*\}", template) if m[1] in NAMES)
    return [
        *(f[0] for f in fields if not _SUBJECT.search(template[: f.start()])),
        *re.findall(r"\{\w+\}['’]s?\b", template),
        *re.findall(r"\b(?:he|she|him|his|hers?)\b", template, re.IGNORECASE),
    ]


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


@pytest.mark.parametrize("path", [*PAGES, *SCRIPTS], ids=lambda path: path.name)
def test_a_short_template_has_a_context(path: Path) -> None:
    """Without one, nobody can translate "Watch": it is a verb or a noun."""
    assert list(without_context(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        '<button>{{ gettext("Undo") }}</button>',
        '{% if mine %}{{ gettext("Play again") }}{% endif %}',
        'say([gettext("Sound on.")]);',
        'text(button, gettext(\n  "Today\'s box",\n));',
        'return isOwn ? gettext("You win") : gettext("{name} wins", { name });',
    ],
)
def test_a_short_template_without_context_is_found(source: str) -> None:
    assert len(list(without_context(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '{{ pgettext("button", "Undo") }}',
        'ngettext("{number} more.", "{number} more.", more)',
        'gettext("Play by typing")',
        'words.join(gettext(", "))',
    ],
)
def test_a_template_that_needs_no_context_passes(source: str) -> None:
    assert list(without_context(source)) == []


def said_on_the_web() -> list[str]:
    """Every template of the folder `web`, singular and plural."""
    found = [
        text
        for message in extracted()
        if message.id and any("/web/" in path for path, _ in message.locations)
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    assert len(found) > 500
    return found


def test_no_noun_is_put_into_a_sentence() -> None:
    """Another language needs "two dice" in more than one case: each form is a whole sentence."""
    assert [text for text in said_on_the_web() if re.search(r"\{(?:dice|chips)\}", text)] == []


def test_a_name_is_never_declined() -> None:
    """Names are the subject or stand alone, since most languages would bend them otherwise."""
    found = {text: declined(text) for text in said_on_the_web()}
    assert {text: names for text, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "template",
    [
        "{name}'s turn.",
        "Waiting for {name}",
        "The turn of {name}",
        "You beat {name}.",
        "A computer player takes over for {names}.",
        "{name} wins. She played well.",
    ],
)
def test_a_name_that_is_declined_is_found(template: str) -> None:
    assert declined(template)


@pytest.mark.parametrize(
    "template",
    ["{name} wins by {number}.", "Your turn, {name}", "Link ({name})", "You and {names} share it."],
)
def test_a_name_in_its_first_form_passes(template: str) -> None:
    assert declined(template) == []


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
        (f"{message.context}\4" if message.context else "")
        + (message.id if isinstance(message.id, str) else message.id[0])
        for message in extracted()
        if any("web/static/" in path for path, _ in message.locations)
    }
    assert collected == set(brought)
    assert brought["button\4Play again"] == in_pseudo("Play again")


@pytest.mark.usefixtures("pseudo")
def test_the_form_for_each_number_comes_along() -> None:
    forms = templates.translations()["{number} watching."]
    one, many = in_pseudo("{number} watching."), in_pseudo("{number} watching.²")
    assert len(forms) == 200
    assert [forms[n] for n in (1, 2, 11, 22, 101)] == [one, one, many, one, many]


@pytest.mark.usefixtures("pseudo")
def test_what_is_put_into_a_sentence_of_a_page_is_escaped() -> None:
    said = templates._gettext("{name} to throw", name="<b>")
    assert said == Markup(in_pseudo("{name} to throw").replace("{name}", "&lt;b&gt;"))
    assert templates._ngettext("{number} watching.", "{number} watching.", 3).startswith("«3 ")
