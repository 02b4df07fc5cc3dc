"""Bundles: the scripts of a page joined into one file, and its style sheets into another.

Each module becomes a function that runs once, after the modules that it imports, and returns its
exports. Only the imports of our own modules are supported, of names in braces or of all names.
Every other form is refused; a test joins all modules. A style sheet takes in the files of its
`@import` lines. Indentation is removed, and so are comments that begin a line or end one of a
script.
"""

import posixpath
import re
from collections.abc import Callable, Mapping

_IMPORT = re.compile(r'(?m)^import\s+(?:([^;"\']*?)\s+from\s+)?"([^"]+)";\n?')
_EXPORT = re.compile(r"(?m)^export (?=(?:(?:async )?function|class|const) (\w+))")
_OTHER = re.compile(r"(?m)^(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*")
_STYLE = re.compile(r'(?m)^@import "([^"]+)";\n')
_COMMENT = re.compile(r"(?ms)^ */\*.*?\*/\n|^ *//[^\n]*\n")
_SPACE = re.compile(r"(?m)^ +|(?<=[;{},]) // .*$")
_FILE = re.compile(r'\burl\("([^":]+)"\)')


class NotJoined(Exception):
    """The refusal of a module that has an unsupported form or imports itself."""


def joined_script(name: str, sources: Mapping[str, str]) -> str:
    r"""Return a module with everything that it imports, each once, in the order they run.

    `sources` are the texts by name. Raises NotJoined.

    >>> print(joined_script("a.js", {
    ...     "a.js": 'import { b as c } from "./b.js";\nc();\n',
    ...     "b.js": '/** One. */\nexport const b = () => 1;\n',
    ... }))
    const $b_js = (() => {
    const b = () => 1;
    return { b };
    })();
    const $a_js = (() => {
    const { b: c } = $b_js;
    c();
    return {};
    })();
    <BLANKLINE>
    """
    names = _in_order(name, lambda at: [path for _, path in _IMPORT.findall(sources[at])], [])
    return "".join(
        f"const {_constant(at)} = (() => {{\n{_body(at, sources[at])}}})();\n" for at in names
    )


def _in_order(
    name: str, imports: Callable[[str], list[str]], found: list[str], above: tuple[str, ...] = ()
) -> list[str]:
    """Add to `found` the names of all that a file imports, then its own, and return it.

    `above` are the files that are importing it. Raises NotJoined if it is one of them.
    """
    if name in above:
        raise NotJoined(f"{name} imports itself in a circle")
    for path in imports(name):
        if (other := _resolved(name, path)) not in found:
            _in_order(other, imports, found, (*above, name))
    found.append(name)
    return found


def _body(name: str, source: str) -> str:
    """Return the module `name` as a function body that returns its exports. Raises NotJoined."""
    exported = ", ".join(_EXPORT.findall(source))
    text = _EXPORT.sub("", _IMPORT.sub(lambda found: _taken(name, *found.groups()), source))
    if other := _OTHER.search(text):
        raise NotJoined(f"{name}: {other[0]}")
    text = _SPACE.sub("", _COMMENT.sub("", text))
    return f"{text}return {{ {exported} }};\n" if exported else f"{text}return {{}};\n"


def _taken(name: str, names: str | None, path: str) -> str:
    """Return an import of the module `name` as a constant; "" without names. Raises NotJoined."""
    if not names:
        return ""
    constant = _constant(_resolved(name, path))
    if all_names := re.fullmatch(r"\* as (\w+)", names):
        return f"const {all_names[1]} = {constant};\n"
    if re.fullmatch(r"\{[\w\s,]+\}", names):
        return f"const {re.sub(r' as ', ': ', names)} = {constant};\n"
    raise NotJoined(f"{name}: import {names}")


def _resolved(name: str, path: str) -> str:
    """Return the name of the file that the file `name` imports as `path`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def imported(sources: Mapping[str, str]) -> set[str]:
    r"""Return the names of the modules that other modules import.

    >>> imported({"a.js": 'import "./b.js";\n', "b.js": ""})
    {'b.js'}
    """
    return {
        _resolved(name, path) for name, text in sources.items() for _, path in _IMPORT.findall(text)
    }


def joined_style(name: str, sources: Mapping[str, str], address: Callable[[str], str]) -> str:
    r"""Return a style sheet with those that it imports, each once.

    `address` returns the URL of a picture or font by its name. Raises NotJoined.

    >>> sheets = {"a.css": '@import "b.css";\ni { color: red; }', "b.css": 'b { margin: 0; }'}
    >>> joined_style("a.css", sheets, str)
    'b { margin: 0; }\ni { color: red; }'
    """
    names = _in_order(name, lambda at: _STYLE.findall(sources[at]), [])
    plain = (_COMMENT.sub("", _STYLE.sub("", sources[one])) for one in names)
    texts = (_SPACE.sub("", text).strip("\n") for text in plain)
    return _FILE.sub(lambda found: f'url("{address(found[1])}")', "\n".join(texts))
