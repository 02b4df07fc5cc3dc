"""One command is run, and what happens when something goes wrong.

Exit codes: 0 fine, 1 a refusal that the user can mend or a record that is not sound, 2 wrong
usage, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from shutbox import messages
from shutbox.cli.arguments import arguments_parser
from shutbox.cli.output import tell
from shutbox.english import listed, shown
from shutbox.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.messages import gettext

FINE, REFUSED, INTERRUPTED = 0, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. No exception of a command leaves it."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = os.fdopen(_nowhere(), "w")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        _speak()
        return _run(argv)
    except ShutboxError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain once more at its exit.
        os.dup2(_nowhere(), 1)
        return FINE
    except OSError as error:
        os.dup2(_nowhere(), 1)
        return _refuse(gettext("the output cannot be written: {reason}", reason=error.strerror))
    except MemoryError:
        return _refuse(gettext("there is not enough memory for that"))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    parser = arguments_parser()
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments = parser.parse_args([_as_text(word) for word in words])
        if arguments.command is None:
            parser.print_help()
            return FINE
        # Imported here: a game starts faster without what the other commands need.
        module, function = arguments.run
        run = getattr(import_module(f"shutbox.cli.{module}"), function)
        try:
            return int(run(arguments) or FINE)
        except TooLarge as error:
            if not error.costly or not hasattr(arguments, "anyway"):
                raise
            raise TooLarge("{reason}; --anyway goes on all the same", reason=error) from None
    finally:
        # Here, so that a full disk or a closed pipe is met while it can still be answered.
        if sys.stdout is not None:
            sys.stdout.flush()


def _speak() -> None:
    """Use the language that the environment names."""
    language = os.environ.get("SHUTBOX_LANGUAGE") or "en"
    folder = Path(os.environ.get("SHUTBOX_TRANSLATIONS") or messages.FOLDER)
    try:
        messages.use(language, folder)
    except FileNotFoundError:
        raise NotUnderstood(
            "SHUTBOX_LANGUAGE: there is no language {language}; choose from {languages}",
            language=shown(language),
            languages=listed(messages.languages(folder)),
        ) from None
    except (OSError, ValueError) as error:
        facts = {"language": shown(language), "reason": error}
        raise NotUnderstood(
            "SHUTBOX_LANGUAGE: {language} cannot be read: {reason}", **facts
        ) from None


def _as_text(word: str) -> str:
    """A word of the command line as UTF-8, also where the locale knows ASCII alone."""
    return os.fsencode(word).decode("utf-8", "surrogateescape") if not word.isprintable() else word


def _nowhere() -> int:
    """A descriptor that takes whatever is written to it."""
    return os.open(os.devnull, os.O_WRONLY)


def _refuse(message: str) -> int:
    with suppress(OSError):  # nobody may be there to read it
        for line in message.split("\n"):
            tell(f"shutbox: {line}")
    return REFUSED
