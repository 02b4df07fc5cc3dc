"""Shell completions and a man page, generated from the command line when a wheel is built."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.utils import get_reproducible_timestamp

COMPLETIONS = {
    "bash": "share/bash-completion/completions/shutbox",
    "zsh": "share/zsh/site-functions/_shutbox",
    "fish": "share/fish/vendor_completions.d/shutbox.fish",
}
"""The path where each shell looks, below the installation folder."""
MAN_PAGE = "share/man/man1/shutbox.1"
FILES = ("RECORD", "FILE")  # arguments that shells complete as files


class CustomBuildHook(BuildHookInterface[Any]):
    """The build hook that adds these files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the files from the source being built."""
        sys.path.insert(0, str(Path(self.root) / "src"))
        self.folder = tempfile.TemporaryDirectory()
        made = written(self.metadata.version)
        for place, text in made.items():
            path = Path(self.folder.name) / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(path)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files."""
        self.folder.cleanup()


def written(version: str) -> dict[str, str]:
    """Return the text of each file, by its path."""
    from shutbox.cli.commands import arguments_parser
    from shutbox.games.catalogue import catalogue
    from shutbox.match import presets

    # The bytes must not depend on the time of the build.
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(get_reproducible_timestamp()))
    parser = arguments_parser().filled()
    about = {"project_name": "shutbox", "version": version, "manual_title": "Shut the Box"}
    about["description"] = str(parser.description).rstrip(".")
    texts = {MAN_PAGE: str(Manpage(parser, about, format="single-commands-section"))}
    games = [entry.name for entry in catalogue()]
    for action in arguments(parser):
        if action.metavar == "GAME":
            action.choices = games + list(presets())
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    for shell, place in COMPLETIONS.items():
        texts[place] = shtab.complete(parser, shell)
    return texts


def arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of all commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from arguments(command)
