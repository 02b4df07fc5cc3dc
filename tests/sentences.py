"""Sentences in the source that bypass the message catalogue, found by their form."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from string import Formatter

from shutbox.engine.english import MOST_WORDS

PACKAGE = Path(__file__).parents[1] / "src" / "shutbox"

MARKERS = {
    "gettext": slice(1),
    "ngettext": slice(2),
    "counted": slice(2),
    "gettext_noop": slice(1),
    "pgettext": slice(1, 2),
    "pgettext_noop": slice(1, 2),
}
"""The functions that `make messages` collects from, and which of their arguments are templates."""
PLURALS = {"ngettext", "counted"}
"""Those that have a form for each number."""

ERRORS = {
    node.name
    for file in ("engine/errors.py", "web/errors.py")
    for node in ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body
    if isinstance(node, ast.ClassDef)
}
"""Error classes whose first argument is a template, too."""

PROGRAMMERS = {
    "AssertionError",
    "AttributeError",
    "NotImplementedError",
    "SystemExit",
    "StopIteration",
}
"""Python exceptions that are not shown to players or hosts."""

SINKS = {"print", "say", "warn", "add_argument", "add_parser", "ArgumentParser"}
"""Functions whose arguments are sentences, even if they are single words."""

LOGS = {"debug", "info", "warning", "error", "exception", "critical"}
PASS_BY = {*LOGS, "text", "sql", "compile", "set_run", "command"}
"""Functions whose arguments are for logs, for typing or for programs: SQL, regular expressions,
lines for a shell, commands of this program.
"""

PROSE = re.compile(r"[A-Za-z'\"][,;:]? [a-z{(]|[}'\"][,;:]? [a-z]|[a-z]{3,}[.?!]$")
"""Two words with a space between them, or a word with a full stop."""

CODE = re.compile(r"[A-Z]{4,} |[a-z-]+[=/][\w-]+[,;] |[A-Z]\w+\(\{")
"""SQL, HTTP headers, and a `repr`."""

WORD = re.compile(r"[A-Za-z]{2,}")


def modules() -> list[Path]:
    """Return the Python files whose texts people read."""
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name of a file in the lists: `games/box/rules.py`."""
    return path.relative_to(PACKAGE).as_posix()


def called(call: ast.Call) -> str:
    """Return the last name of a call: `say` for `console.say(...)`."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def in_words(node: ast.expr) -> str | None:
    """Return the text of a literal, with {} for each value in an f-string. None for other nodes."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                str(value.value) if isinstance(value, ast.Constant) else "{}" for value in values
            )
    return None


def misused(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield calls that Babel cannot read, or that run before a language is set."""
    early = set(_at_import(tree))
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="shutbox.engine.messages", names=names):
                for alias in names:
                    if alias.asname is not None:
                        yield node.lineno, f"{alias.name} under the name {alias.asname}"
            case ast.Call() if called(node) in MARKERS:
                yield from ((node.lineno, fault) for fault in _faults(node, node in early))
            case ast.Call(args=[ast.JoinedStr() | ast.BinOp(), *_]) if called(node) in ERRORS:
                yield node.lineno, f"{called(node)} of what is no literal"
            case ast.Call(args=[ast.Constant(value=str(template)), *_]) if called(node) in ERRORS:
                yield from ((node.lineno, fault) for fault in _wrong_facts(node, [template]))


def _faults(call: ast.Call, early: bool) -> Iterator[str]:
    name = called(call)
    if early and not name.endswith("_noop"):
        yield f"{name} when the module is imported: use gettext_noop, and gettext where it is said"
    templates = call.args[MARKERS[name]]
    literal = [t.value for t in templates if isinstance(t, ast.Constant) and type(t.value) is str]
    if [t.id for t in templates if isinstance(t, ast.Name)] == ["singular", "plural"]:
        return  # the templates that a function like `counted` was given
    if len(literal) < (2 if name in PLURALS else 1):
        # The template may come from a table, where its literal is in a gettext_noop.
        if name not in {"gettext", "pgettext"} or not isinstance(
            templates[0] if templates else None, ast.Name | ast.Attribute | ast.Subscript
        ):
            yield f"{name} of what is no literal"
        return
    if not name.endswith("_noop"):
        yield from _wrong_facts(call, literal)


def _wrong_facts(call: ast.Call, literal: list[str]) -> Iterator[str]:
    if any(keyword.arg is None for keyword in call.keywords):
        return
    name = called(call)
    given = {str(keyword.arg) for keyword in call.keywords} - {"costly"}
    fields = [{f for _, f, _, _ in Formatter().parse(t) if f is not None} for t in literal]
    if any(not wanted <= given | ({"number"} if name in PLURALS else set()) for wanted in fields):
        yield f"facts that are not given: {fields}, given {given}"
    if not given <= set().union(*fields):
        yield f"facts that no template has: {given - set().union(*fields)}"


SHORT = 2  # words in a template that cannot be translated without a context
PREPOSITIONS = (
    "about|after|against|and|as|at|before|beside|behind|between|but|by|for|from|in|instead of|into|"
    "of|off|on|or|over|past|than|through|to|towards|under|until|upon|with|without"
)
TRANSITIVE = (
    "[a-z]*(?:ask|beat|call|catch|choose|cost|follow|give|help|hurt|invite|join|leave|let|make|name|"
    "owe|own|pay|play|put|remove|replace|seat|show|take|tell|watch)(?:e?s|ed|ing)?|beaten|caught|"
    "chosen|gave|left|made|paid|took|told"
)
AFTER_A_NAME = re.compile(r"\{(\w+)\}'s?(?!\w)")
BEFORE_A_NAME = re.compile(rf"\b(?i:{PREPOSITIONS}|{TRANSITIVE}) \{{(\w+)\}}")
ENDS_A_SENTENCE = re.compile(r"[.?!:]$")


def template_texts(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each template, the function that is called with it, and its text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in {*MARKERS, *ERRORS}:
            for template in node.args[MARKERS.get(called(node), slice(1))]:
                if isinstance(template, ast.Constant) and isinstance(template.value, str):
                    yield node.lineno, called(node), template.value


def without_context(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield short templates whose translation depends on a context that they do not give."""
    for line, marker, template in template_texts(tree):
        is_short = "{" not in template and len(template.split()) <= SHORT
        if is_short and marker in ("gettext", "gettext_noop"):
            yield line, template


def inflected_names(template: str, names: Iterable[str]) -> list[str]:
    """Return the facts of a template that are names, but not the subject or before a colon.

    >>> inflected_names("{name}'s turn: {other} for {name}", ["name"])
    ['name', 'name']
    >>> inflected_names("{name}: throw for {chips}", ["name"])
    []
    """
    found = [*AFTER_A_NAME.findall(template), *BEFORE_A_NAME.findall(template)]
    return [name for name in found if name in names]


def phrase_functions(tree: ast.Module) -> set[str]:
    """Return the names of functions that return a counted phrase, such as "two dice"."""
    return {
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and _is_phrase(node.value, frozenset())
    }


def _is_phrase(node: ast.expr | None, functions: Collection[str]) -> bool:
    """Return whether an expression is a counted phrase that is not a whole sentence."""
    match node:
        case ast.Call(args=[ast.Constant(value=str(one)), *_]) if called(node) in PLURALS:
            return not ENDS_A_SENTENCE.search(one)
        case ast.Call():
            return called(node) in functions
        case ast.IfExp(body=body, orelse=other):
            return _is_phrase(body, functions) or _is_phrase(other, functions)
        case ast.Attribute(attr="words", value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name == "dice"
    return False


def glued(tree: ast.Module, functions: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield facts of a template that are counted phrases, which other languages would inflect.

    `functions` return such phrases. A phrase can come by a variable, or a dictionary of facts.
    """
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef):
            yield from _glued(scope, functions)


def _glued(scope: ast.FunctionDef, functions: Collection[str]) -> Iterator[tuple[int, str]]:
    phrases = {
        node.targets[0].id
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if _is_phrase(node.value, functions)
    }
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and called(node) in {*MARKERS, *ERRORS}:
            facts = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            keys = (getattr(key, "value", "") for key in node.keys)
            facts = [*zip(keys, node.values, strict=True)]
        else:
            continue
        for fact, value in facts:
            is_named = isinstance(value, ast.Name) and value.id in phrases
            if is_named or _is_phrase(value, functions):
                yield node.lineno, str(fact)


def long_sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield sentences that are too long to follow."""
    for line, _, template in template_texts(tree):
        for sentence in re.split(r"(?<=[.?!])\s", template):
            if len(sentence.split()) > MOST_WORDS:
                yield line, sentence


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every node that is evaluated at import."""
    for field, value in ast.iter_fields(node):
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if later and field == "body":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _at_import(child)


def escaped(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield literals that look like sentences, or are used as sentences, and bypass gettext."""
    yield from _escaped(tree, "")


def _escaped(node: ast.AST, sink: str) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Call() if called(node) in MARKERS:
            for keyword in node.keywords:
                yield from _escaped(keyword.value, sink)
            return
        case ast.Call() if called(node) in PASS_BY:
            return
        case ast.Call() if called(node) in SINKS:
            yield from _sunk(node)
            return
        case ast.Assert():
            yield from _escaped(node.test, sink)
            return
        case ast.Raise(exc=ast.Call() as call):
            name = called(call)
            if name in ERRORS:
                yield from _escaped(call, name)
            elif name not in PROGRAMMERS:
                for argument in call.args:
                    yield from _escaped(argument, name)
            return
        case ast.Call(args=[ast.Constant(), *rest]) if called(node) in ERRORS:
            for argument in [*rest, *(keyword.value for keyword in node.keywords)]:
                yield from _escaped(argument, sink)
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _escaped(value, sink)
            return
        case ast.FunctionDef(name="__repr__" | "_summary" | "_counted"):  # what programmers print
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for inner in [*node.body, *node.args.defaults, *node.args.kw_defaults]:
                if inner is not None:
                    yield from _escaped(inner, sink)
            return
        case ast.Constant() | ast.JoinedStr():
            text = in_words(node)
            if (
                text is not None
                and not CODE.match(text)
                and (PROSE.search(text) or (sink and WORD.search(text)))
            ):
                yield node.lineno, text
            if isinstance(node, ast.JoinedStr):
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        yield from _escaped(part.value, "")
            return
    for child in ast.iter_child_nodes(node):
        yield from _escaped(child, "")


def _sunk(call: ast.Call) -> Iterator[tuple[int, str]]:
    name = called(call)
    if name.startswith("add_") or name == "ArgumentParser":
        for keyword in call.keywords:
            if keyword.arg in {"help", "description", "epilog"}:
                yield from _escaped(keyword.value, name)
        return
    for argument in call.args:
        yield from _escaped(argument, name)
