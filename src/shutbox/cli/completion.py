"""`shutbox completion`: print the completions of a shell, or the manual page, of the wheel."""

import argparse
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from shutbox.cli.parser import Parser
from shutbox.errors import NotInstalled
from shutbox.messages import gettext

PLACES = {
    "bash": "share/bash-completion/completions/shutbox",
    "zsh": "share/zsh/site-functions/_shutbox",
    "fish": "share/fish/vendor_completions.d/shutbox.fish",
    "man": "share/man/man1/shutbox.1",
}
"""The files in a wheel, below the folder of the installation, where shells and man look."""


def add_completion(parser: Parser) -> None:
    """Add the arguments of `shutbox completion`."""
    about = gettext("bash, zsh or fish for completions, man for the manual page")
    parser.add_argument("shell", choices=[*PLACES], metavar="SHELL", help=about)
    parser.runs(
        print_completion,
        "completion bash > ~/.local/share/bash-completion/completions/shutbox",
        "completion man > shutbox.1",
    )


def print_completion(arguments: argparse.Namespace) -> None:
    """Print a file of the installed wheel. Raises NotInstalled in a clone, which has none."""
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("shutbox") or ():
            if file.as_posix().endswith(PLACES[arguments.shell]):
                print(Path(str(file.locate())).read_text(encoding="utf-8"), end="")
                return
    raise NotInstalled("completions and the manual page come with the command: pip install .")
