"""The commands, their arguments, and what happens when something goes wrong.

Exit codes: 0 fine, 1 a refusal that the user can mend or a record that is not sound, 2 wrong
usage, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from shutbox import __version__
from shutbox.errors import ShutboxError, TooLarge

FINE, REFUSED, INTERRUPTED = 0, 1, 130

_ROUND = "how the round is played, such as shut=wins,stake=1"
_NAMES = "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. No exception of a command leaves it."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = os.fdopen(_nowhere(), "w")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    try:
        return _run(argv)
    except ShutboxError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain once more at its exit.
        os.dup2(_nowhere(), 1)
        return FINE
    except OSError as error:
        os.dup2(_nowhere(), 1)
        return _refuse(f"the output cannot be written: {error.strerror}")
    except MemoryError:
        return _refuse("there is not enough memory for that")
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments = parser.parse_args([_as_text(word) for word in words])
        if arguments.command is None:
            parser.print_help()
        else:
            # Imported here: a game starts faster without what the other commands need.
            module, function = arguments.run
            run = getattr(import_module(f"shutbox.cli.{module}"), function)
            try:
                code: int | None = run(arguments)
            except TooLarge as error:
                if error.costly and hasattr(arguments, "anyway"):
                    raise TooLarge(f"{error}; --anyway goes on all the same") from None
                raise
            return FINE if code is None else code
    finally:
        # Here, so that a full disk or a closed pipe is met while it can still be answered.
        if sys.stdout is not None:
            sys.stdout.flush()
    return FINE


def _as_text(word: str) -> str:
    """A word of the command line as UTF-8, also where the locale knows ASCII alone."""
    return os.fsencode(word).decode("utf-8", "surrogateescape") if not word.isprintable() else word


def _nowhere() -> int:
    """A descriptor that takes whatever is written to it."""
    return os.open(os.devnull, os.O_WRONLY)


def _refuse(message: str) -> int:
    with suppress(OSError):  # nobody may be there to read it
        for line in message.splitlines():
            print(f"shutbox: {line}", file=sys.stderr)
    return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="shutbox", description="Shut the Box under all its house rules."
    )
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    command = commands.add_parser("play", help="play a game in the terminal")
    command.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help=f"{_NAMES}, or a match such as pub; without it, a menu",
    )
    command.add_argument(
        "--players",
        metavar="NAMES",
        help="who plays: names with commas; computer, or computer:KIND, for a computer player: "
        "perfect, sheet, careful, fewest, most, highest, first, random",
    )
    command.add_argument(
        "--format",
        metavar="ATOMS",
        help="how turns become a match, such as rounds=5,order=high-roll,stake=1; the atoms are "
        "rounds, target, limit, until, shut, order, begins, end, stake, bonus, ties, purse",
    )
    dice = command.add_mutually_exclusive_group()
    dice.add_argument(
        "--dice",
        choices=("system", "hand"),
        default="system",
        help="the operating system's dice, or your own that you type in (default: system)",
    )
    dice.add_argument("--seed", metavar="TEXT", help="the same dice for the same text, for ever")
    _add_playing(command)
    command.set_defaults(run=("play", "play"))

    command = commands.add_parser("resume", help="go on with a game that was left")
    _add_record(command, "without it, the newest that is not over")
    _add_playing(command)
    command.set_defaults(run=("play", "resume"))

    command = commands.add_parser("games", help="list the games of the catalogue, or your own")
    command.add_argument(
        "--mine",
        dest="run",
        action="store_const",
        const=("own_games", "mine"),
        default=("catalogue", "games"),
        help="the games that you have played",
    )
    _add_json(command)

    command = commands.add_parser("rules", help="tell the rules of a game or a match")
    command.add_argument("game", metavar="GAME", help=f"{_NAMES}, or a match such as pub")
    command.set_defaults(run=("catalogue", "rules"))
    _add_json(command)

    command = commands.add_parser("legal", help="tell what a position waits for and all it offers")
    command.add_argument(
        "position",
        metavar="POSITION",
        help="such as classic:1.5.9/2+2, or a game or a match for its start",
    )
    command.set_defaults(run=("catalogue", "legal"))
    _add_json(command)
    _add_records(commands)
    _add_serve(commands)
    _add_analysis(commands)
    return parser


def _add_analysis(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask what a position is worth."""
    aims = "mean, shut, worst-shut, or beat:T for a score to beat (default: mean)"

    command = commands.add_parser("odds", help="tell what a game is worth under best play")
    command.add_argument(
        "game", metavar="GAME", help=f"{_NAMES}; a match such as pub; or a position of either"
    )
    command.add_argument("--aim", metavar="AIM", help=f"{aims}; in a match win or chips")
    command.add_argument("--at", metavar="POSITION", help="from there on, such as 1.5.9/2+2")
    _add_round(command)
    command.add_argument("--exact", action="store_true", help="whole fractions, nothing rounded")
    command.add_argument(
        "--plot", metavar="FILE", help="draw the odds into an SVG, PNG or PDF file"
    )
    command.set_defaults(run=("odds", "odds"))
    _add_costly(command)

    command = commands.add_parser("advise", help="rank the choices of a position, and say why")
    command.add_argument(
        "position", metavar="POSITION", help="such as classic:1-9/3+5, or one of a match"
    )
    command.add_argument("--aim", metavar="AIM", help=aims)
    command.add_argument("--to-beat", type=int, metavar="SCORE", help="the best score so far")
    command.add_argument("--after", type=int, metavar="N", help="so many players still to come")
    command.add_argument("--format", metavar="ATOMS", help=_ROUND)
    command.set_defaults(run=("advise", "advise"))
    _add_costly(command)

    command = commands.add_parser("fair", help="tell which rules are fair to every seat")
    command.add_argument("game", metavar="GAME", help=_NAMES)
    _add_round(command)
    command.set_defaults(run=("fair", "fair"))
    _add_costly(command)

    command = commands.add_parser("compare", help="tell how strong fixed ways to play are")
    command.add_argument("game", metavar="GAME", help=_NAMES)
    command.add_argument("--aim", default="mean", metavar="AIM", help=aims)
    command.add_argument(
        "--sheet", action="store_true", help="also a strategy that fits on one sheet of paper"
    )
    command.set_defaults(run=("compare", "compare"))
    _add_costly(command)


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "serve",
        help="serve the game to browsers",
        epilog="In the environment: SHUTBOX_DATABASE, a database whose URL is to be in no list of "
        "processes; SHUTBOX_METRICS_TOKEN, what whoever reads /metrics has to show; SHUTBOX_DATA, "
        "your own folder of records.",
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on (default: 127.0.0.1, this machine alone)",
    )
    command.add_argument(
        "--port", type=int, default=8000, metavar="N", help="the port to listen on (default: 8000)"
    )
    command.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME (default: SHUTBOX_DATABASE, or else "
        "tables.db in your own folder of records)",
    )
    command.add_argument(
        "--url",
        default="",
        metavar="URL",
        help="the address that people use, where a proxy stands before it",
    )
    command.add_argument(
        "--proxies",
        default="127.0.0.1",
        metavar="ADDRESSES",
        help="the proxies that are believed: addresses and networks, with commas between them "
        "(default: 127.0.0.1)",
    )
    command.add_argument(
        "--rates",
        default="memory://",
        metavar="URL",
        help="where rates are counted: redis://HOST for several processes",
    )
    command.add_argument(
        "--unlimited",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address that no rate holds for; may be given several times",
    )
    command.set_defaults(run=("serve", "serve"))


def _add_round(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seats", type=int, metavar="N", help="for so many players in turn")
    command.add_argument("--format", metavar="ATOMS", help=_ROUND)


def _add_costly(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--anyway", action="store_true", help="whatever it takes of time and memory"
    )
    _add_json(command)


def _add_records(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask about records."""
    newest = "without it, the newest"

    command = commands.add_parser("show", help="tell a game that was played: its score and moves")
    _add_record(command, newest)
    command.add_argument("--at", type=int, metavar="N", help="how it stood after event N")
    command.set_defaults(run=("show", "show"))
    _add_json(command)

    command = commands.add_parser("replay", help="watch a game again, step by step")
    _add_record(command, newest)
    _add_plain(command)
    command.set_defaults(run=("show", "replay"))
    _add_json(command)

    command = commands.add_parser("check", help="say whether a record is sound, and what is wrong")
    _add_record(command, newest)
    command.set_defaults(run=("check", "check"))
    _add_json(command)

    command = commands.add_parser("chips", help="explain every account of a match, line by line")
    _add_record(command, newest)
    command.set_defaults(run=("chips", "chips"))
    _add_json(command)

    command = commands.add_parser("export", help="print a record as JSON")
    _add_record(command, newest)
    command.set_defaults(run=("import_export", "export"))

    command = commands.add_parser("import", help="keep a record that was exported as JSON")
    command.add_argument("file", metavar="FILE", help="what export printed")
    command.set_defaults(run=("import_export", "import_"))

    command = commands.add_parser("stats", help="sum up your own games, and the dice")
    command.add_argument("--player", metavar="NAME", help="only this player")
    command.set_defaults(run=("stats", "stats"))
    _add_json(command)


def _add_record(command: argparse.ArgumentParser, otherwise: str) -> None:
    command.add_argument(
        "record",
        nargs="?",
        metavar="RECORD",
        help=f"the number of a game of your own, or a file; {otherwise}",
    )


def _add_playing(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--throw",
        choices=("auto", "ask"),
        default="auto",
        help="dice fall by themselves, or when you press Enter (default: auto)",
    )
    command.add_argument(
        "--hints",
        choices=("off", "legal", "ranked", "explained"),
        default="explained",
        help="how much h tells when you ask for a hint (default: explained)",
    )
    command.add_argument(
        "--coach", action="store_true", help="say after each of your choices what it has cost"
    )
    _add_plain(command)


def _add_plain(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plain", action="store_true", help="words only, no picture, no line editing"
    )


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON for programs")
