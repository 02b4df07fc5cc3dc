"""Every sentence is in the message catalogue. The pseudo-language shows it at run time."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import shutbox
from listing import assert_none
from pseudo_language import NAMES
from reading import grade
from sentences import (
    PACKAGE,
    escaped,
    glued,
    inflected_names,
    long_sentences,
    misused,
    modules,
    name_of,
    phrase_functions,
    template_texts,
    without_context,
)
from shutbox.engine.english import MOST_WORDS
from shutbox.match import presets
from shutbox.table.lookup import find_any
from shutbox.term import synthesizers

LISTS: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "data" / "notation.toml").read_text(encoding="utf-8")
)
NO_SENTENCES: dict[str, str] = LISTS["no_sentences"]
NOTATION: dict[str, list[str]] = LISTS["notation"]
QUANTITIES: dict[str, list[str]] = LISTS["quantities"]
FOR_A_SHELL = {synthesizers.BEFORE_EACH, synthesizers.SAPI}

MOST_GRADE = 6.0
"""Of rules and help: what children read who have been to school for six years."""


@cache
def trees() -> dict[str, ast.Module]:
    """The modules by their names."""
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in modules()}


def core() -> dict[str, ast.Module]:
    """The modules outside `web`, whose pages are written in templates and scripts, too."""
    return {n: tree for n, tree in trees().items() if not n.startswith(("web/", "messages."))}


def inflected(tree: ast.Module) -> list[tuple[int, str]]:
    """Return the templates with a name in the genitive or as an object, or with he or she."""
    return [
        (line, template)
        for line, _, template in template_texts(tree)
        if inflected_names(template, NAMES) or re.search(r"\b(?:he|she|him|her|his)\b", template)
    ]


def glued_facts(modules: dict[str, ast.Module]) -> list[tuple[str, int, str]]:
    """Return the counted phrases that are put into sentences."""
    found = {name: phrase_functions(tree) for name, tree in modules.items()}
    shared = {each for names in found.values() for each in names if not each.startswith("_")}
    return [
        (name, line, fact)
        for name, tree in modules.items()
        for line, fact in glued(tree, shared | found[name])
        if fact not in QUANTITIES.get(name, ())
    ]


def test_every_sentence_is_a_template_that_can_be_read_from_the_source() -> None:
    faults = [
        (name, line, text)
        for name, tree in trees().items()
        for line, text in (escaped(tree) if name not in NO_SENTENCES else ())
        if text not in FOR_A_SHELL.union(NOTATION.get(name, ()))
    ]
    faults += [
        (n, *fault) for n, t in trees().items() if n != "engine/messages.py" for fault in misused(t)
    ]
    assert_none(faults)


def test_every_template_can_be_translated() -> None:
    """It has a context if it is short, inflects no name, and has no counted phrase in it.

    Other languages inflect a name as an object, and "two dice" by its place: docs/translating.md.
    """
    faults = [(name, *fault) for name, tree in core().items() for fault in without_context(tree)]
    faults += [(name, *fault) for name, tree in core().items() for fault in inflected(tree)]
    assert_none(faults + glued_facts(core()))


def test_no_sentence_is_long() -> None:
    """Rule cards are read at leisure; everything else is heard once, between two throws."""
    heard = {name: tree for name, tree in trees().items() if not name.endswith("/card.py")}
    assert_none((name, *fault) for name, tree in heard.items() for fault in long_sentences(tree))


def test_rules_and_help_are_easy_to_read() -> None:
    """Each rule card, and each paragraph of the help: a few words alone have no grade."""
    names = [*(entry.name for entry in shutbox.catalogue()), *presets()]
    texts = {name: " ".join(find_any(name).card().lines) for name in names}
    help = (PACKAGE / "web" / "templates" / "help.html").read_text(encoding="utf-8")
    said = [text for text in re.findall(r'gettext\("(.*?)"[,)]', help) if len(text) > 80]
    assert len(said) > 5
    texts |= {text: text for text in said}
    assert_none((grade(text), name) for name, text in texts.items() if grade(text) > MOST_GRADE)
    hard = "Whoever is in possession of numbered tiles relinquishes eligibility subsequently."
    assert grade(hard) > MOST_GRADE > grade("Throw the dice. Put down the tiles that fit.")


CHECKS: dict[str, Callable[[ast.Module], Iterable[object]]] = {
    "escaped": escaped,
    "misused": misused,
    "without context": without_context,
    "inflected": inflected,
    "long": long_sentences,
    "glued": lambda tree: glued_facts({"x.py": tree}),
}


def found(check: str, source: str) -> bool:
    """Return whether a check finds a fault in a source."""
    return any(CHECKS[check](ast.parse(source.replace("MOST", " ".join(["word"] * MOST_WORDS)))))


def test_faults_are_found_and_nothing_else() -> None:
    for check in CHECKS:
        assert_none((check, text) for text in LISTS["found"][check] if not found(check, text))
        assert_none((check, text) for text in LISTS["passes"][check] if found(check, text))
