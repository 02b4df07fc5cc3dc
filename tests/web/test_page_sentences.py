"""Every sentence of pages and scripts is a template, and every page can be translated."""

import re
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from translations import collected

from listing import assert_none
from pseudo_language import LANGUAGE, NAMES, in_pseudo, translations
from shutbox.engine import messages
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
    *("lit last", "button main"),
    *('aria-invalid="true"', "panel alert"),
    *("Escape", "Enter", "Tab", "GET", "POST", "Accept", "Content-Type", "Retry-After", "not all"),
    *(
        "lid shut",
        "lid opens",
        "die gem",
        "dice system",
        "rack ${number}",
        "link ${label} ${address}",
    ),
    *("Notification", "turn ${location.pathname}", "turn ${path}", "last ${i}"),
    *("summary_large_image", "best ${game}"),
    *("lies c${seat % 6}", "${SEEDS}day!", "welcome long"),
    *("stand-in ${name}", "status ${this.table.id}", "${number} of ${most}", "${className} fixed"),
}
"""Names, what is typed, keys of elements and their classes: the same in every language."""
_CSS = re.compile(r"[#[(]|^\.|px |\b(?:select|wl|w)\b|%d")
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


def test_every_sentence_of_pages_and_scripts_is_a_template() -> None:
    """A short one has a context: without one, nobody can translate "Watch", a verb or a noun."""
    kinds = ((PAGES, escaped_from_page), (SCRIPTS, escaped_from_script))
    files = [(path.name, check, path.read_text("utf-8")) for some, check in kinds for path in some]
    assert_none(
        (name, words)
        for name, check, text in files
        for words in check(text)
        if words not in NOT_SAID and not _CSS.search(words)
    )
    assert_none((name, template) for name, _, text in files for template in without_context(text))


def test_no_noun_is_put_into_a_sentence_and_no_name_is_declined() -> None:
    """Another language needs "two dice" in more than one case: each form is a whole sentence.

    Names are the subject or stand alone, since most languages would bend them otherwise.
    """
    said = [
        text
        for message in collected()
        if message.id and any("/web/" in path for path, _ in message.locations)
        for text in ([message.id] if isinstance(message.id, str) else message.id)
    ]
    assert len(said) > 500
    assert_none(t for t in said if re.search(r"\{(?:dice|chips)\}", t) or declined(t))


def test_a_page_brings_every_template_of_its_scripts() -> None:
    assert templates.translations("") == {}  # in English
    messages.use(LANGUAGE, translations())
    try:
        brought = templates.translations("")
        wanted = {
            (f"{message.context}\4" if message.context else "")
            + (message.id if isinstance(message.id, str) else message.id[0])
            for message in collected()
            if any("web/static/" in path for path, _ in message.locations)
        }
        assert wanted == set(brought)
        assert brought["button\4Play again"] == in_pseudo("Play again")
        # The form for each number comes along.
        forms = brought["{number} watching."]
        one, many = in_pseudo("{number} watching."), in_pseudo("{number} watching.²")
        assert (len(forms), len(forms[-1])) == (3, 200)
        chosen = [forms[int(forms[-1][n])] for n in (1, 2, 11, 22, 101)]
        assert chosen == [one, one, many, one, many]
        # Another page brings those of its own script, and of what loads later.
        page = '<script type="module" src="/static/pages/page.js?v=1">'
        others = templates.translations(page)
        assert "This browser has no voice for the language of this page." in others
        assert "button\4Play again" not in others
        assert others.items() < brought.items()
        # What is put into a sentence of a page is escaped.
        shown: Any = templates.environment().globals
        said = shown["gettext"]("{name} to throw", name="<b>")
        assert said == Markup(in_pseudo("{name} to throw").replace("{name}", "&lt;b&gt;"))
        counted = shown["ngettext"]("{number} watching.", "{number} watching.", 3)
        assert counted.startswith("«3 ")
    finally:
        messages.use("en")
