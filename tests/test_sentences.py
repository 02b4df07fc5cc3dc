"""Every sentence is in the message catalogue. The pseudo-language shows it at run time."""

import ast
import re
from pathlib import Path

import pytest

import shutbox
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
from shutbox.english import MOST_WORDS
from shutbox.lookup import find_any
from shutbox.match import presets
from shutbox.term import speech

NO_SENTENCES = {
    "picture.py": "the words of SVG",
    "solver/graph.py": "it tells programmers that a graph is not followed",
    "testing.py": "the kit tells programmers which assertion of theirs failed",
    "web/actions/registry.py": "what the API's document says, in English as all of it",
    "web/api/openapi.py": "a document for programmers, in English like the other docs",
    "web/pages/static_files.py": "it writes script, and tells programmers what it cannot join",
    "web/http/metrics.py": "the help of Prometheus, read by programs",
    "web/storage/schema.py": "comments of the database",
}

NOTATION: dict[str, set[str]] = {
    "term/speech.py": {  # for a shell, PowerShell and SSIP; why a voice died is not told
        speech.BEFORE_EACH,
        speech.SAPI,
        "{} has ended",
        "{} does not listen",
        "SET SELF CLIENT_NAME {}:shutbox:game",
        "SET SELF PRIORITY message",
        "SET SELF RATE {}",
        "SET SELF LANGUAGE {}",
        "SET SELF SYNTHESIS_VOICE {}",
        "speech-dispatcher refuses {}: {}",
        "speech-dispatcher has hung up",
    },
    "web/pages/analysis.py": {  # heads, and SVG
        "private, max-age=60",
        "public, max-age=86400",
        '<svg class="chart {}" viewBox="0 0 {} 196" aria-hidden="true">{}</svg>',
        "hb gold",
        "hb none",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1"/>',
        '<text x="{}" y="188" text-anchor="{}">{}</text>',
    },
    "web/rooms/events.py": {  # what is wrong with JSON, as msgspec tells programmers
        "of length >=",
        "of length <=",
        "Expected `str` of length <= {} - at `$.{}`",
        "Invalid enum value {} - at `{}`",
        "Expected `{}`, got `{}` - at `{}`",
        "Object contains unknown field `{}`{}",
        "Object missing required field `{}`{}",
        "Expected `{}` {} {} - at `{}`",
        "Expected `str` matching regex {} - at `{}`",
    },
    "__init__.py": {"module {} has no attribute {}"},  # the words of Python itself
    "analysis/equity/fairness.py": {"seats", "format"},  # the keys that are wrong
    "analysis/review/wording.py": {"shutbox advise {}"},  # what can be typed
    "games/box/rules.py": {"variant"},
    "games/cargo/rules.py": {"cargo"},
    "rl/__init__.py": {"module {} has no attribute {}"},
    "rl/spiel_game.py": {"Shut the Box"},  # what open_spiel calls it
    "scene.py": {"in hand"},
    "term/saving.py": {"shutbox check {}", "shutbox resume {}"},  # what can be typed
    "term/seating.py": {"{} rounds", "{} chips", "{} begins", "the dice", "highest throw"},
    "table/terms.py": {" me , "},  # a part of a phrase
    "term/menu.py": {"my games", "sound and words"},
    "typed_text.py": {"{} die", "{} dice"},
    "cli/admin.py": {  # what can be typed
        "--sort size --limit 5",
        "abcdefgh --to games",
        "abcdefgh --url https://box.example",
    },
    "cli/commands.py": {"  shutbox {}"},
    "cli/main.py": {"shutbox: {}", "shutbox games"},
    "cli/records.py": {"shutbox: {}: {}", "shutbox: {}"},
    "cli/play.py": {
        "call me {}",
        "shutbox {}",
        "pip install 'shutbox[{}]'",
    },
    "games/box/game.py": {"More boxes"},  # a group, which is not shown
    "games/box/position.py": {"die {}"},  # keys of pieces
    "lookup.py": {"format"},
    "match/format.py": {"format"},  # where a mistake is
    "match/standing.py": {"sit out"},
    "match/scene.py": {"die {}"},
    "record/lines.py": {"corrects to", " of {}", "dice system"},
    "record/header.py": {
        *("shutbox record {}", "program {}", "begun {}", "game {}", "format {}", "player {}"),
        "package {}",
        "position {}",
        "dice {}",
        "day {}",
        "seed {}",
    },
    "record/__init__.py": {"shutbox record", "{}: throws 3+5"},
    "sealed_dice.py": {"opening {}"},
    "web/http/middleware.py": {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'"
    },
    "web/device/device.py": {  # for who builds the site
        "a page leads to {}, which the site has not got",
        '<script type="module" id="begin" data-then="\\1" src="static/device/begin.js">',
    },
    "web/pages/install.py": {"script-src blob: 'wasm-unsafe-eval'"},
    "web/server/app.py": {"envelopes not opened", "not for you\n"},  # logged, or for programs
    "web/server/background.py": {"not watched", "not swept", "not expired", "host not heard"},
    "web/server/services.py": {"no database", "nothing can be kept"},  # for programs
    "web/actions/tables.py": {"Player"},
    "web/pages/home.py": {'attachment; filename="shutbox-games.json"'},
    "web/http/requests.py": {'attachment; filename="{}"'},
    "web/rooms/commands.py": {"shutbox {}"},  # the program, in the header of a record
    "web/compute/pool.py": {
        "import os; os.nice({niceness}); import {imports}; "
        "from shutbox.web.compute.pool import main; main()"
    },
    "web/actions/positions.py": {"solution {}"},  # who is kept
    "web/live/computers.py": {"table {}"},  # who waits
    "web/storage/engine.py": {
        "sqlite:///shutbox.db or postgresql://user@host/name",
        "-c synchronous_commit=on -c statement_timeout={}s -c lock_timeout={}s",
    },
    "seats.py": {"Player {}", "Computer {}"},  # names stand in records
    "cli/odds.py": {"--seats"},
    "web/pages/static_files.py": {"public, max-age=31536000, immutable"},
    "games/cargo/game.py": {"accept {}", "cargo {}", "hand {}"},
    "games/tray/game.py": {"throw {}", "Dice tray"},
    "match/game.py": {"buy {} chip", "buy {} chips"},
}
"""Literals that look like sentences and are text both ways: the same in every language."""


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_every_template_can_be_read_from_the_source() -> None:
    files = [path for path in modules() if name_of(path) != "messages.py"]
    assert [(name_of(f), line, fault) for f in files for line, fault in misused(tree_of(f))] == []


def test_every_sentence_is_a_template() -> None:
    files = {name_of(path): path for path in modules()}
    for name in NO_SENTENCES:
        files.pop(name, None)
    assert [
        (name, line, text)
        for name, path in files.items()
        for line, text in escaped(tree_of(path))
        if text not in NOTATION.get(name, ())
    ] == []


@pytest.mark.parametrize(
    "source",
    [
        'raise ValueError("one")',
        'raise BadName(f"{name} is taken")',
        'raise BadName("{name} is taken", name=f"the name {name}")',
        'console.say("Goodbye.")',
        'print(f"{number} things")',
        'command.add_argument("--seats", help="players")',
        'SHOWN = ("left in the pot",)',
        'gettext("{name} begins.", name=f"the player {name}")',
        'word = "each pay" if many else "pays"',
        'def says(end="is over."): ...',
    ],
)
def test_a_sentence_that_escapes_is_found(source: str) -> None:
    assert list(escaped(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'gettext(f"{name} begins.")',
        'gettext("{name} " + "begins.", name=name)',
        'gettext("{name} begins.".format(name=name))',
        'gettext("{name} begins.", names=name)',
        'gettext("The match begins.", name=name)',
        'raise BadName(f"{name} is taken")',
        'raise BadName("{name} is taken", names=name)',
        'ngettext("one chip", many, number)',
        'ngettext("{number} chip", "{count} chips", number)',
        "gettext(says(name))",
        "gettext_noop(word)",
        'OVER = gettext("The match is over.")',
        'class Match:\n    over = gettext("The match is over.")',
        'def say(over=gettext("The match is over.")): ...',
        "from shutbox.messages import gettext as _",
    ],
)
def test_a_template_that_cannot_be_read_is_found(source: str) -> None:
    assert list(misused(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        '"""A sentence that documents."""',
        'lambda name: gettext("{name} begins.", name=name)',
        'lambda number: ngettext("{number} chip", "{number} chips", number)',
        'raise BadName("{name} is taken", name=name)',
        "raise IllegalRoll(str(error), position)",
        'OVER = gettext_noop("The match is over.")',
        "def say(row):\n    return gettext(row.template, name=name)",
        'raise AssertionError("this cannot be")',
        'log.warning("the disk is full")',
        'f"{seat}:{name} {dice}"',
        'text("SELECT key FROM rooms")',
    ],
)
def test_what_is_no_sentence_passes(source: str) -> None:
    tree = ast.parse(source)
    assert not [*escaped(tree), *misused(tree)]


IN_WEB = "web/"
"""The rooms whose pages are written in templates and scripts, too."""

QUANTITIES = {
    "analysis/review/sums.py": {"mean"},
    "analysis/review/wording.py": {"amount", "cost", "mean"},  # 4.73 points, 20.7 % of the win
    "analysis/solvers/select.py": {"time", "seconds"},  # 3 hours
    "cli/admin.py": {"size"},  # 3 MB
}
"""The facts that are a measured quantity with its unit. Languages do not inflect them: they can
write the unit as a sign."""


def source_trees() -> dict[str, ast.Module]:
    """The modules outside the web, by their names."""
    files = {name_of(path): path for path in modules()}
    files.pop("messages.py")
    return {name: tree_of(p) for name, p in files.items() if not name.startswith(IN_WEB)}


def test_a_short_template_has_a_context() -> None:
    assert [
        (name, line, text)
        for name, tree in source_trees().items()
        for line, text in without_context(tree)
    ] == []


@pytest.mark.parametrize(
    "source",
    ['gettext("Watch")', 'gettext_noop("the pot")', 'gettext("; ").join(items)', "gettext('No.')"],
)
def test_a_short_template_without_a_context_is_found(source: str) -> None:
    assert list(without_context(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'pgettext("button", "Watch")',
        'pgettext_noop("kind of dice", "sealed")',
        'gettext("{name} wins", name=name)',
        'gettext("The match is over.")',
    ],
)
def test_a_template_that_is_clear_alone_needs_no_context(source: str) -> None:
    assert not list(without_context(ast.parse(source)))


def glued_facts(trees: dict[str, ast.Module]) -> list[tuple[str, int, str]]:
    shared = {
        function
        for tree in trees.values()
        for function in phrase_functions(tree)
        if not function.startswith("_")
    }
    return [
        (name, line, fact)
        for name, tree in trees.items()
        for line, fact in glued(tree, shared | phrase_functions(tree))
        if fact not in QUANTITIES.get(name, ())
    ]


def test_no_counted_phrase_stands_in_a_sentence() -> None:
    """Other languages would have to inflect "two dice" by its place: see docs/translating.md."""
    assert glued_facts(source_trees()) == []


DICE_WORDS = """def dice_words(n):
    return ngettext("one die", "{number} dice", n)

"""


@pytest.mark.parametrize(
    "body",
    [
        'gettext("{name} throws {dice}.", name=name, dice=dice_words(n))',
        'gettext("Throw {dice}.", dice=ngettext("{number} die", "{number} dice", n))',
        'gettext("Throw {dice}.", dice=awaited.dice.words)',
        'words = dice_words(n)\n    gettext("Throw {dice}.", dice=words)',
        'facts = {"dice": dice_words(n)}\n    gettext("Throw {dice}.", **facts)',
        'raise IllegalChoice("not {dice}", position, dice=dice_words(n) if n else "none")',
    ],
)
def test_a_counted_phrase_in_a_sentence_is_found(body: str) -> None:
    assert glued_facts({"x.py": ast.parse(f"{DICE_WORDS}def say(n):\n    {body}")})


@pytest.mark.parametrize(
    "body",
    [
        'ngettext("Throw one die.", "Throw {number} dice.", n, number=number_word(n))',
        'listed([dice_words(1), dice_words(2)], "or")',
        'gettext("{first} {second}", first=ngettext("One die.", "{number} dice.", n), second=s)',
        'gettext("{why}. Try {choices}", why=why, choices=choices)',
    ],
)
def test_sentences_and_lists_are_no_counted_phrases(body: str) -> None:
    assert not glued_facts({"x.py": ast.parse(f"{DICE_WORDS}def say(n):\n    {body}")})


def test_a_name_is_a_subject_or_stands_before_a_colon() -> None:
    """Languages inflect names in the genitive and as objects; nobody is he or she."""
    assert [
        (name, line, template)
        for name, tree in source_trees().items()
        for line, _, template in template_texts(tree)
        if inflected_names(template, NAMES) or re.search(r"\b(?:he|she|him|her|his)\b", template)
    ] == []


@pytest.mark.parametrize(
    "template",
    [
        "{name}'s turn.",
        "{names}' turns",
        "12 for {name}",
        "{winner} beats {name}",
        "Ask {player} again",
        "It is the turn of {name}.",
        "{other} plays with {players}",
    ],
)
def test_an_inflected_name_is_found(template: str) -> None:
    assert inflected_names(template, NAMES)


@pytest.mark.parametrize(
    "template",
    ["{name} to play.", "{name} wins; {other} has left", "{name}: throw again", "12 for {game}"],
)
def test_a_name_as_a_subject_passes(template: str) -> None:
    assert not inflected_names(template, NAMES)


def test_no_sentence_is_long() -> None:
    """Rule cards are read at leisure; everything else is heard once, between two throws."""
    assert [
        (name_of(path), line, sentence)
        for path in modules()
        if path.name != "card.py"
        for line, sentence in long_sentences(tree_of(path))
    ] == []


MOST_GRADE = 6.0
"""Of rules and help: what children read who have been to school for six years."""


def test_rules_are_easy_to_read() -> None:
    names = [*(entry.name for entry in shutbox.catalogue()), *presets()]
    grades = {name: grade(" ".join(find_any(name).card().lines)) for name in names}
    assert {name: found for name, found in grades.items() if found > MOST_GRADE} == {}


def test_the_help_of_the_page_is_easy_to_read() -> None:
    """Each of its paragraphs; a few words alone have no grade."""
    help = (PACKAGE / "web" / "templates" / "help.html").read_text(encoding="utf-8")
    said = [text for text in re.findall(r'gettext\("(.*?)"[,)]', help) if len(text) > 80]
    assert len(said) > 5
    assert {text: grade(text) for text in said if grade(text) > MOST_GRADE} == {}


def test_what_is_hard_to_read_has_a_high_grade() -> None:
    hard = "Whoever is in possession of numbered tiles relinquishes eligibility subsequently."
    assert grade(hard) > MOST_GRADE > grade("Throw the dice. Put down the tiles that fit.")


def test_a_long_sentence_is_found() -> None:
    most = " ".join(["word"] * MOST_WORDS)
    assert not list(long_sentences(ast.parse(f'gettext("{most}. {most}.")')))
    assert list(long_sentences(ast.parse(f'gettext("Short. Too {most}.")')))
    assert list(long_sentences(ast.parse(f'raise BadName("too {most}")')))
    assert list(long_sentences(ast.parse(f'ngettext("one", "too {most}", 2)')))
