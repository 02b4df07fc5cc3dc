"""A page with every public name of the library, by package, generated for the site.

Nothing is imported, so that names which need an optional package are listed, too.
"""

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
PROGRAMS = ("cli", "term", "web")
"""Packages that are not part of the library."""
HEAD = "# Every public name\n\nWhat each package offers, and where it is told."


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for package, names in packages():
        parts += [
            f"## `{package}`",
            "| name | what it is |\n|---|---|\n" + "".join(_rows(package, names)),
        ]
    return "\n\n".join(parts)


def packages() -> Iterator[tuple[str, list[str]]]:
    """Yield the packages of the library with the names in their `__all__`."""
    for path in sorted((SOURCE / "shutbox").rglob("__init__.py")):
        module = ".".join(path.parent.relative_to(SOURCE).parts)
        if module.split(".")[1:2] and module.split(".")[1] in PROGRAMS:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                yield module, ast.literal_eval(node.value)


def _rows(package: str, names: list[str]) -> Iterator[str]:
    for name in names:
        module, about = defined(package, name)
        first = about.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        yield f"| {{py:obj}}`{name} <{module}.{name}>` | {first} |\n"


def defined(module: str, name: str) -> tuple[str, str]:
    """Return the module that defines a name of this module, and the name's docstring.

    Raise KeyError if there is no such name.
    """
    path = SOURCE.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return defined(node.module, alias.name)
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return module, ast.get_docstring(node) or ""
    for node, below in pairwise(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in _targets(node):
            says = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            return module, str(ast.literal_eval(below.value)) if says else ""
    raise KeyError(f"{module}.{name}")


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {
        each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
    }
