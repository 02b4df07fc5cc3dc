"""A page with every command and all its options, generated from the parser for the site."""

import argparse
import os
import re
from collections.abc import Iterator

from shutbox.cli.commands import FOR_PROGRAMS, Parser, arguments_parser

HEAD = """# The command line

Every command of `shutbox` with its arguments, options and examples, as `shutbox help COMMAND`
prints them. [Playing](../playing.md) and [what a game is worth](../odds.md) explain the most used
ones.

A command exits with 0 if it did its work, 1 if it was refused or found damage, 2 if it was typed
wrongly, and 130 if you interrupted it. With `--json`, it prints
[JSON](../data.md#the-json-that-commands-print). What it stores is in `SHUTBOX_DATA` and
[`SHUTBOX_CACHE`](../odds.md#the-cache-folder). Every command also has `--help`, and
`--language LANGUAGE`, such as `de`.
"""
EVERYWHERE = ("-h", "--language")
"""Options of every command, which the head explains."""


def page() -> str:
    """Return the page as Markdown."""
    os.environ["COLUMNS"] = "90"  # in which argparse wraps the usage
    parser = arguments_parser().fill_all()
    assert parser.groups is not None
    commands = _commands(parser)
    parts = [HEAD]
    others = [(row.name, row.help_text) for row in FOR_PROGRAMS]
    for title, rows in {**parser.groups, "For programs": others}.items():
        parts.append(f"## {title}\n")
        for name, about in rows:
            parts += _sections(commands[name], about, "###")
    return "\n".join(parts)


def _commands(parser: Parser) -> dict[str, Parser]:
    """Return the commands of a parser by their names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _sections(parser: Parser, about: str, mark: str) -> Iterator[str]:
    """Yield the section of a command, then those of its own commands."""
    yield f"{mark} {parser.prog}\n\n{about[:1].upper()}{about[1:]}.\n"
    usage = parser.format_usage().removeprefix(lead := "usage: ").rstrip()
    usage = usage.replace(f"\n{' ' * len(lead)}", "\n")
    yield f"```text\n{usage}\n```\n"
    rows = [action for action in parser._actions if _has_row(action)]
    if rows:
        yield "| argument or option | what it does |\n|---|---|"
        yield from (f"| {_written(action)} | {_told(parser, action)} |" for action in rows)
    if parser.epilog and ":\n" in parser.epilog:
        lines = parser.epilog.partition("\n")[2].splitlines()
        yield "\n```console\n" + "\n".join(f"$ {line.strip()}" for line in lines) + "\n```\n"
    texts = {one.dest: one.help for action in parser._actions for one in _choices(action)}
    for name, command in _commands(parser).items():
        yield from _sections(command, str(texts[name]), f"{mark}#")


def _has_row(action: argparse.Action) -> bool:
    """Whether an argument is explained in the table of its command."""
    if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
        return False
    return not set(EVERYWHERE) & set(action.option_strings)


def _choices(action: argparse.Action) -> list[argparse.Action]:
    if isinstance(action, argparse._SubParsersAction):
        return list(action._choices_actions)
    return []


def _written(action: argparse.Action) -> str:
    """Return how an argument is typed: `--seats N`, or the name of its value alone."""
    values = f"{{{','.join(action.choices)}}}" if action.choices else action.dest
    value = str(action.metavar or values)
    if not action.option_strings:
        return f"`{value}`"
    takes = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{option}{takes}`" for option in action.option_strings)


def _told(parser: Parser, action: argparse.Action) -> str:
    """Return the help of an argument in one row of a table."""
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    text = re.sub("'([^' ]+)'", r"`'\1'`", " ".join(text.split()))  # stays as it is typed
    return text.replace("|", "\\|").replace("<", "\\<")
