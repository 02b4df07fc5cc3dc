"""Every sentence is in the message catalogue. The pseudo-language shows it at run time."""

import ast
import re
from collections.abc import Callable, Iterable
from functools import cache

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

NO_SENTENCES = {
    "output/picture.py": "the words of SVG",
    "solving/graph.py": "it tells programmers that a graph is not followed",
    "testing.py": "the kit tells programmers which assertion of theirs failed",
    "web/actions/registry.py": "what the API's document says, in English as all of it",
    "web/api/openapi.py": "a document for programmers, in English like the other docs",
    "web/api/schema_types.py": "it tells programmers which field has no text",
    "web/pages/static_files.py": "it writes script, and tells programmers what it cannot join",
    "web/storage/schema.py": "comments of the database",
}

NOTATION: dict[str, set[str]] = {
    "term/synthesizers.py": {  # for a shell, PowerShell and SSIP; why a voice died is not told
        synthesizers.BEFORE_EACH,
        synthesizers.SAPI,
        "{} has ended",
        "{} does not listen",
        "SET SELF CLIENT_NAME player:shutbox:game",
        "SET SELF PRIORITY message",
        "SET SELF NOTIFICATION ALL on",
        "SET SELF RATE {}",
        "SET SELF LANGUAGE {}",
        "SET SELF SYNTHESIS_VOICE {}",
        "speech-dispatcher refuses {}: {}",
        "speech-dispatcher has hung up",
    },
    "web/pages/analysis.py": {"private, max-age=60", "public, max-age=86400"},
    "engine/scene.py": {"in hand"},
    "term/menu.py": {"my games", "sound and words"},
    "engine/typed_text.py": {"{} die", "{} dice"},
    "cli/admin.py": {  # what can be typed
        "abcdefgh --to games",
        "abcdefgh --url https://box.example",
    },
    "cli/main.py": {"shutbox: {}"},
    "cli/records.py": {"shutbox: {}"},
    "cli/evening.py": {
        "shutbox {}",
        "pip install '.[{}]'",
    },
    "games/box/game.py": {"More boxes"},  # a group, which is not shown
    "games/box/position.py": {"die {}"},  # keys of pieces
    "match/standing.py": {"sit out"},
    "match/scene.py": {"die {}"},
    "record/lines.py": {"corrects to", " of {}", "dice system"},
    "record/header.py": {"shutbox record {}", "player {}", "dice {}"},
    "record/record.py": {"shutbox record", "{}: throws 3+5"},
    "engine/sealed_dice.py": {"opening {}"},
    "web/http/middleware.py": {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "font-src 'self'; manifest-src 'self'; worker-src 'self'"
    },
    "web/device/device.py": {  # for who builds the site
        "a page leads to {}, which the site has not got",
        '<script type="module" id="begin" data-then="\\1\\2" src="\\1device/begin.js">',
    },
    "web/pages/install.py": {"script-src blob: 'wasm-unsafe-eval'"},
    "web/server/background.py": {
        *("not swept", "not collected", "not expired", "orders wait", "name lost"),
        "envelopes not opened",
    },
    "web/server/services.py": {"no database"},  # for programs
    "web/pages/my_games.py": {'attachment; filename="shutbox-games.json"'},
    "web/pages/review.py": {'attachment; filename="{}"'},
    "web/rooms/commands.py": {"shutbox {}"},  # the program, in the header of a record
    "web/compute/pool.py": {
        "import os; os.nice({niceness}); from shutbox.web.compute.pool import main; main()"
    },
    "web/actions/positions.py": {"solution {}"},  # who is kept
    "web/live/bots.py": {"table {}"},  # who waits
    "web/storage/database.py": {
        "sqlite:///FILE or postgresql://USER@HOST/NAME",
    },
    "engine/names.py": {"Player {}"},  # names stand in records
    "engine/seats.py": {"Computer {}"},  # names stand in records
    "web/pages/static_files.py": {"public, max-age=31536000, immutable"},
    "games/cargo/scene.py": {"cargo {}", "hand {}"},
    "games/tray/game.py": {"throw {}", "Dice tray"},
    "match/game.py": {"buy {} chip", "buy {} chips"},
}
"""Literals that look like sentences and are text both ways: the same in every language."""

QUANTITIES = {
    "solving/advice/ranking.py": {"cost"},  # 0.25 percentage points
    "solving/comparison.py": {"loss"},
    "solving/review/sums.py": {"mean"},
    "solving/review/account_text.py": {"amount"},
    "solving/review/review_text.py": {"amount", "cost", "mean", "share"},  # 4.73 points, 20.7 %
    "solving/solvers.py": {"time", "seconds"},  # 3 hours
    "cli/admin.py": {"size"},  # 3 MB
}
"""The facts that are a measured quantity with its unit. Languages do not inflect them: they can
write the unit as a sign."""

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
        if text not in NOTATION.get(name, ())
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


MOST = " ".join(["word"] * MOST_WORDS)
DICE_WORDS = 'def dice_words(n):\n    return ngettext("one die", "{number} dice", n)\n\n'
CHECKS: dict[str, Callable[[ast.Module], Iterable[object]]] = {
    "escaped": escaped,
    "misused": misused,
    "without context": without_context,
    "inflected": inflected,
    "long": long_sentences,
    "glued": lambda tree: glued_facts({"x.py": tree}),
}
FOUND = {
    "escaped": [
        'raise BadName("{name} is taken", name=f"the name {name}")',
        'print(f"{number} things")',
        'command.add_argument("--seats", help="players")',
        'word = "each pay" if many else "pays"',
    ],
    "misused": [
        'gettext(f"{name} begins.")',
        'gettext("{name} begins.", names=name)',
        'raise BadName(f"{name} is taken")',
        'ngettext("{number} chip", "{count} chips", number)',
        'def say(over=gettext("The match is over.")): ...',
        "from shutbox.engine.messages import gettext as _",
    ],
    "without context": ['gettext_noop("the pot")', "gettext('No.')"],
    "inflected": ['gettext("{name}\'s turn.")', 'gettext("{winner} beats {name}")'],
    "long": [f'gettext("Short. Too {MOST}.")', f'raise BadName("too {MOST}")'],
    "glued": [
        f"{DICE_WORDS}def say(n):\n    {body}"
        for body in (
            'gettext("Throw {dice}.", dice=awaited.dice.words)',
            'words = dice_words(n)\n    gettext("Throw {dice}.", dice=words)',
            'facts = {"dice": dice_words(n)}\n    gettext("Throw {dice}.", **facts)',
        )
    ],
}
PASS = {
    ("escaped", "misused"): [
        'raise BadName("{name} is taken", name=name)',
        'OVER = gettext_noop("The match is over.")',
        "def say(row):\n    return gettext(row.template, name=name)",
        'log.warning("the disk is full")',
    ],
    ("without context", "inflected", "long"): [
        'pgettext("button", "Watch")',
        'gettext("{name} wins; {other} has left")',
        f'gettext("{MOST}. {MOST}.")',
    ],
    ("glued",): [f'{DICE_WORDS}def say(n):\n    listed([dice_words(1), dice_words(2)], "or")'],
}


def found(check: str, source: str) -> bool:
    """Return whether a check finds a fault in a source."""
    return any(CHECKS[check](ast.parse(source)))


def test_faults_are_found_and_nothing_else() -> None:
    assert_none((c, s) for c, sources in FOUND.items() for s in sources if not found(c, s))
    assert_none((c, s) for cs, sources in PASS.items() for c in cs for s in sources if found(c, s))
