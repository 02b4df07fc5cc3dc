"""The entry point of the command line: runs one command, and reports what goes wrong.

Exit codes: 0 fine, 1 a refusal, or something wrong in what was checked, 2 wrong usage, 130
interrupted. A refusal is a sentence on standard error; with --json, a command also prints it as a
JSON object on standard output.
"""

import argparse
import os
import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from shutbox.cli.commands import arguments_parser
from shutbox.cli.output import note, print_json
from shutbox.engine import messages
from shutbox.engine.english import command, listed, shown, typed_as
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge, UnknownGame, blaming
from shutbox.engine.messages import gettext
from shutbox.engine.plugins import PluginWarning

FINE, REFUSED, INTERRUPTED = 0, 1, 130
PROGRAM, TARGETS = "SHUTBOX_PROGRAM", "SHUTBOX_TARGETS"
"""Environment variables: how this program is typed here, and `make` with commands it knows."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, report what goes wrong on standard error, and return the exit code.

    `argv` has no program name; None means the command line of the process. Raises SystemExit for
    wrong usage (2), and once `--help` or `--version` is printed (0).
    """
    if sys.stderr is None:  # closed by the parent process, and a file must not take its place
        sys.stderr = os.fdopen(_open_null_device(), "w")
    if sys.stdout is None:
        return _print_refusal(gettext("the output cannot be written: it is closed"))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    words = list(sys.argv[1:] if argv is None else argv)
    typed_as.clear()
    make, *targets = os.environ.get(TARGETS, "make").split()
    typed_as.update({target: f"{make} {target}" for target in targets})
    typed_as["shutbox"] = os.environ.get(PROGRAM, "shutbox")
    try:
        _set_language(words)
        with warnings.catch_warnings():
            shows = warnings.showwarning
            warnings.showwarning = lambda *told: (
                note(f"shutbox: {told[0]}") if told[1] is PluginWarning else shows(*told)
            )
            return run_command(words)
    except ShutboxError as error:
        return _print_refusal(str(error))
    except BrokenPipeError:
        # The reader has closed the pipe, which is fine. At exit, Python would complain again.
        os.dup2(_open_null_device(), 1)
        return FINE
    except OSError as error:
        os.dup2(_open_null_device(), 1)
        return _print_refusal(
            gettext("the output cannot be written: {reason}", reason=error.strerror)
        )
    except MemoryError:
        return _print_refusal(gettext("there is not enough memory for that"))
    except KeyboardInterrupt:
        # What the interrupt left half made in a library fails once more as it is thrown away.
        sys.unraisablehook = lambda unraisable: None
        return INTERRUPTED
    finally:
        try:
            sys.stderr.flush()
        except OSError:  # at exit, Python would end with 120
            os.dup2(_open_null_device(), 2)


def run_command(words: Sequence[str]) -> int:
    """Run one command and return its exit code. Errors are passed on, a plugin's as PluginFailed.

    With --json, a refusal is also printed as JSON. Without a command, it shows the first screen of
    the game at a terminal, and elsewhere prints the help.
    """
    parser = arguments_parser()
    try:
        words = list(words)
        for index, word in enumerate(words):
            if not word.isprintable():  # UTF-8 under a locale that knows only ASCII
                words[index] = os.fsencode(word).decode("utf-8", "surrogateescape")
        arguments = parser.parse_args(words)
        at_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        if arguments.command is None and at_terminal:
            arguments = parser.parse_args(["play"])
        if arguments.command is None:
            parser.print_help()
            return FINE
        try:
            with blaming(" ".join(words)):
                return int(arguments.run(arguments) or FINE)
        except ShutboxError as error:
            refusal = _with_remedy(error, arguments)
            if getattr(arguments, "json", False):
                print_json({"error": {"code": refusal.code, "message": str(refusal)}})
            raise refusal from None
    finally:
        # Flush here, so that `main` can still report a full disk or a closed pipe.
        sys.stdout.flush()


def _with_remedy(error: ShutboxError, arguments: argparse.Namespace) -> ShutboxError:
    """Return the refusal, with the command or option that helps added if there is one."""
    if isinstance(error, UnknownGame) and error.unlike:
        games = command("games")
        return UnknownGame("{reason}; {command} lists the names", reason=error, command=games)
    if isinstance(error, TooLarge) and error.costly and hasattr(arguments, "anyway"):
        return TooLarge("{reason}; --anyway goes on all the same", reason=error)
    return error


def _set_language(words: Sequence[str]) -> None:
    """Set the language of all text: that of --language, SHUTBOX_LANGUAGE, the locale, or English.

    The words are not parsed yet, since the parser's help is translated, too. Raises NotUnderstood
    if one of the first two cannot be loaded.
    """
    folder = Path(os.environ.get("SHUTBOX_TRANSLATIONS") or messages.FOLDER)
    option = re.findall("(?:^|\n)--language[=\n]([^\n]*)", "\n".join(words).partition("\n--\n")[0])
    if option and option[-1]:
        source, named = "--language", option[-1]
    else:
        source, named = "SHUTBOX_LANGUAGE", os.environ.get("SHUTBOX_LANGUAGE", "")
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    of_locale = locale[:2] != "en" and messages.best_match(locale, messages.languages(folder))
    facts: dict[str, object] = {"source": source, "language": shown(named)}
    try:
        messages.use(named or of_locale or "en", folder)
    except FileNotFoundError:
        facts["languages"] = listed(messages.languages(folder))
        raise NotUnderstood(
            "{source}: there is no language {language}; choose from {languages}", **facts
        ) from None
    except (OSError, ValueError) as error:
        if named:
            facts["reason"] = error
            raise NotUnderstood("{source}: {language} cannot be read: {reason}", **facts) from None


def _open_null_device() -> int:
    """Open the null device and return its descriptor."""
    return os.open(os.devnull, os.O_WRONLY)


def _print_refusal(message: str) -> int:
    """Print a refusal, which can have several lines, and return the exit code."""
    for line in message.split("\n"):
        note(f"shutbox: {line}")
    return REFUSED
