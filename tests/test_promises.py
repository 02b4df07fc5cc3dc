"""What docs/stability.md promises: names that programs use today are there tomorrow.

`tests/data/promises.txt` has a line for each name of the library with its parameters, each command
with its options, each address and shape of the API with its fields, each refusal with its code.
There may be more of everything; nothing of it may go, and no more may be asked for. At a release
the file is written anew: `pytest tests/test_promises.py --golden`.
"""

import argparse
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import shutbox
from shutbox import ShutboxError
from shutbox.cli.commands import arguments_parser
from shutbox.web import errors as web_errors
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api.openapi import document

FILE = Path(__file__).parent / "data" / "promises.txt"


def promised() -> dict[str, list[str]]:
    """What there is today, by its name."""
    lines = (*library(), *commands(), *api(), *refusals())
    return dict(lines)


def library() -> Iterator[tuple[str, list[str]]]:
    for name in sorted(shutbox.__all__):
        found = getattr(shutbox, name)
        yield f"library:{name}", parameters(found)
        if isinstance(found, type):
            ours = [base for base in found.__mro__ if base.__module__.startswith("shutbox")]
            for part, member in inspect.getmembers(found):
                if not part.startswith("_") and any(part in vars(base) for base in ours):
                    yield f"library:{name}.{part}", parameters(member)


def parameters(found: Any) -> list[str]:
    """Those of a function or a class: `name`, `name=` with a default, `*name=` by name alone."""
    if not callable(found):
        return []
    try:
        given = inspect.signature(found).parameters.values()
    except ValueError:
        return []
    return [
        "*" * (one.kind is one.KEYWORD_ONLY) + one.name + "=" * (one.default is not one.empty)
        for one in given
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and one.name != "self"
    ]


def commands(
    parser: argparse.ArgumentParser | None = None, name: str = "shutbox"
) -> Iterator[tuple[str, list[str]]]:
    words: list[str] = []
    for action in (parser or arguments_parser().filled())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, command in action.choices.items():
                yield from commands(command, f"{name}-{word}")
        else:
            words += action.option_strings or [f"{action.metavar}="]
    yield f"command:{name}", words


def api() -> Iterator[tuple[str, list[str]]]:
    told = document(ACTIONS)
    for path, methods in told["paths"].items():
        yield from ((f"api:{method}:{path}", list[str]()) for method in methods)
    for name, schema in told["components"]["schemas"].items():
        required = schema.get("required", ())
        fields = schema.get("properties", {})
        # A field that may be left out may be left out for ever; that is asked of what comes in.
        inward = schema.get("additionalProperties") is False
        yield (
            f"shape:{name}",
            [f"*{field}" + "=" * (not inward or field not in required) for field in fields],
        )


def refusals(kind: type[ShutboxError] = ShutboxError) -> Iterator[tuple[str, list[str]]]:
    assert issubclass(web_errors.NotAllowed, ShutboxError)  # those of the server are there, too
    for each in kind.__subclasses__():
        yield f"refusal:{each.code}", [f"{each.__name__}="]
        yield from refusals(each)


def broken(then: list[str], now: list[str]) -> list[str]:
    """The words of a line that no longer hold, or are newly wanted."""
    in_order, in_order_now = ([w for w in words if w[0] not in "*-"] for words in (then, now))
    gone = [
        word
        for place, word in enumerate(in_order)
        if in_order_now[place : place + 1] not in ([word], [f"{word}="])
    ]
    gone += [w for w in then if w[0] in "*-" and w not in now and f"{w}=" not in now]
    known = {word.strip("*=") for word in then}
    wanted = [w for w in now if w[0] != "-" and not w.endswith("=") and w.strip("*") not in known]
    return gone + wanted


def test_what_was_promised_is_there(golden: bool) -> None:
    now = promised()
    if golden:
        lines = (" ".join((name, *words)) + "\n" for name, words in now.items())
        FILE.write_text("".join(lines), encoding="utf-8")
        return
    lost = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name, *then = line.split(" ")
        if name not in now:
            lost.append(name)
        elif words := broken(then, now[name]):
            lost.append(f"{name}: {words}")
    assert lost == []


def test_what_is_broken_is_found() -> None:
    assert broken(["game", "aim=", "*exact="], ["game", "aim=", "at=", "*exact=", "*new="]) == []
    assert broken(["game"], ["game="]) == []
    assert broken(["game", "aim="], ["aim=", "game"]) == ["game", "aim="]
    assert broken(["game", "aim="], ["game", "aim"]) == ["aim="]
    assert broken(["*exact="], []) == ["*exact="]
    assert broken(["game"], ["game", "more"]) == ["more"]
    assert broken(["--json"], ["--json", "--more"]) == []
    assert broken(["--json"], []) == ["--json"]
