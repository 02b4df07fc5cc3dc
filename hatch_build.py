"""Files that are generated when a wheel is built.

They are shell completions and a man page, from the command line, and the translations, scripts and
style sheets without their comments: no program reads them, and the wheel is 60 kB smaller.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.utils import get_reproducible_timestamp

MAN_SECTIONS = {
    "ENVIRONMENT": {
        "SHUTBOX_DATA": "the folder of your games and settings",
        "SHUTBOX_CACHE": "the folder of what was solved; it can be deleted at any time",
        "SHUTBOX_LANGUAGE": "the language, such as de; --language overrides it",
        "SHUTBOX_TRANSLATIONS": "a folder with translations of your own",
        "SHUTBOX_DATABASE": "the database of serve and admin; --database overrides it",
    },
    "EXIT STATUS": {
        "0": "success; also if you ended the game early",
        "1": "a refusal that you can fix, or a record that is not sound",
        "2": "wrong usage: an unknown command or option",
        "130": "interrupted with Ctrl-C outside a game",
    },
    "FILES": {
        "~/.local/share/shutbox": "your games and settings, unless SHUTBOX_DATA is set",
        "~/.cache/shutbox": "what was solved, unless SHUTBOX_CACHE is set",
    },
}
"""Sections of the man page that the parser does not know: terms and their meanings."""
SHELLS = ("bash", "zsh", "fish")
FILES = ("RECORD", "FILE")  # arguments that shells complete as files
COMMENTS = {".po": r"#.*\n", **dict.fromkeys((".js", ".css"), r" *(?://.*|/\*[\s\S]*?\*/)\n")}
"""For each ending the pattern of a comment, which takes whole lines."""


class CustomBuildHook(BuildHookInterface[Any]):
    """The build hook that adds these files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the files from the source being built."""
        sys.path.insert(0, str(Path(self.root) / "src"))
        self.folder = tempfile.TemporaryDirectory()
        made = {"shared_data": written(self.metadata.version), "force_include": {}}
        source = Path(self.root) / "src"
        for folder in ("translations", "web/static"):
            for file in sorted((source / "shutbox" / folder).rglob("*.*")):
                if comment := COMMENTS.get(file.suffix):
                    text = re.sub(f"(?m)^{comment}", "", file.read_text(encoding="utf-8"))
                    made["force_include"][str(file.relative_to(source))] = text
        for kind, texts in made.items():
            for place, text in texts.items():
                path = Path(self.folder.name) / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                build_data[kind][str(path)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files."""
        self.folder.cleanup()


def written(version: str) -> dict[str, str]:
    """Return the text of each file, by its path."""
    from shutbox.cli.commands import PLACES, arguments_parser
    from shutbox.games.catalogue import catalogue
    from shutbox.match import presets

    # The bytes must not depend on the time of the build.
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(get_reproducible_timestamp()))
    parser = arguments_parser().fill_all()
    about = {"project_name": "shutbox", "version": version, "manual_title": "Shut the Box"}
    about["description"] = str(parser.description).rstrip(".")
    page = Manpage(parser, about, format="single-commands-section")
    page.add_section("EXAMPLES", "=", roff(examples(parser)))
    for heading, terms in MAN_SECTIONS.items():
        listed = (f".TP\n.B {roff(term)}\n{roff(meaning)}" for term, meaning in terms.items())
        page.add_section(heading, "=", "\n".join(listed))
    texts = {PLACES["man"]: str(page)}
    games = [entry.name for entry in catalogue()]
    for action in arguments(parser):
        if action.metavar == "GAME":
            action.choices = games + list(presets())
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    for shell in SHELLS:
        texts[PLACES[shell]] = shtab.complete(parser, shell)
    return texts


def arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of all commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from arguments(command)


def examples(parser: argparse.ArgumentParser) -> str:
    """Return the examples of all commands, each as a paragraph of its own."""
    lines = (parser.epilog or "").split("\n")[1:]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            lines += [line for command in action.choices.values() for line in [examples(command)]]
    return "\n\n".join(line.strip() for line in lines if line)


def roff(text: str) -> str:
    """Return a text in which no line is a command of roff, and hyphens can be copied."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(
        f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n")
    )
