"""The commands and their arguments."""

import argparse

from shutbox import __version__
from shutbox.messages import gettext, gettext_noop

_ROUND = gettext_noop("how the round is played, such as shut=wins,stake=1")
_NAMES = gettext_noop(
    "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"
)


def arguments_parser() -> argparse.ArgumentParser:
    """The parser; `run` of what it reads is the module of the command and its function."""
    parser = argparse.ArgumentParser(
        prog="shutbox", description=gettext("Shut the Box under all its house rules.")
    )
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    command = commands.add_parser("play", help=gettext("play a game in the terminal"))
    command.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help=gettext(
            "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
            "or a match such as pub; without it, a menu"
        ),
    )
    command.add_argument(
        "--players",
        metavar="NAMES",
        help=gettext(
            "who plays: names with commas; computer, or computer:KIND, for a computer player: "
            "perfect, sheet, careful, fewest, most, highest, first, random"
        ),
    )
    command.add_argument(
        "--format",
        metavar="ATOMS",
        help=gettext(
            "how turns become a match, such as rounds=5,begins=high-roll,stake=1; the atoms are "
            "rounds, target, limit, until, shut, order, begins, end, stake, bonus, ties, purse"
        ),
    )
    dice = command.add_mutually_exclusive_group()
    dice.add_argument(
        "--dice",
        choices=("system", "hand"),
        default="system",
        help=gettext("the operating system's dice, or your own that you type in (default: system)"),
    )
    dice.add_argument(
        "--seed", metavar="TEXT", help=gettext("the same dice for the same text, for ever")
    )
    _add_playing(command)
    command.set_defaults(run=("play", "play"))

    command = commands.add_parser("resume", help=gettext("go on with a game that was left"))
    _add_record(
        command,
        gettext(
            "the number of a game of your own, or a file; without it, the newest that is not over"
        ),
    )
    _add_playing(command)
    command.set_defaults(run=("play", "resume"))

    command = commands.add_parser(
        "games", help=gettext("list the games of the catalogue, or your own")
    )
    command.add_argument(
        "--mine",
        dest="run",
        action="store_const",
        const=("own_games", "mine"),
        default=("catalogue", "games"),
        help=gettext("the games that you have played"),
    )
    _add_json(command)

    command = commands.add_parser("rules", help=gettext("tell the rules of a game or a match"))
    command.add_argument(
        "game",
        metavar="GAME",
        help=gettext(
            "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
            "or a match such as pub"
        ),
    )
    command.set_defaults(run=("catalogue", "rules"))
    _add_json(command)

    command = commands.add_parser(
        "legal", help=gettext("tell what a position waits for and all it offers")
    )
    command.add_argument(
        "position",
        metavar="POSITION",
        help=gettext("such as classic:1.5.9/2+2, or a game or a match for its start"),
    )
    command.set_defaults(run=("catalogue", "legal"))
    _add_json(command)
    _add_records(commands)
    _add_serve(commands)
    _add_analysis(commands)
    return parser


def _add_analysis(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask what a position is worth."""
    aims = gettext("mean, shut, worst-shut, or beat:T for a score to beat (default: mean)")

    command = commands.add_parser("odds", help=gettext("tell what a game is worth under best play"))
    command.add_argument(
        "game",
        metavar="GAME",
        help=gettext(
            "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml; "
            "a match such as pub; or a position of either"
        ),
    )
    command.add_argument(
        "--aim",
        metavar="AIM",
        help=gettext(
            "mean, shut, worst-shut, or beat:T for a score to beat (default: mean); in a match "
            "win or chips"
        ),
    )
    command.add_argument(
        "--at", metavar="POSITION", help=gettext("from there on, such as 1.5.9/2+2")
    )
    _add_round(command)
    command.add_argument(
        "--exact", action="store_true", help=gettext("whole fractions, nothing rounded")
    )
    command.add_argument(
        "--plot", metavar="FILE", help=gettext("draw the odds into an SVG, PNG or PDF file")
    )
    command.set_defaults(run=("odds", "odds"))
    _add_costly(command)

    command = commands.add_parser(
        "advise", help=gettext("rank the choices of a position, and say why")
    )
    command.add_argument(
        "position", metavar="POSITION", help=gettext("such as classic:1-9/3+5, or one of a match")
    )
    command.add_argument("--aim", metavar="AIM", help=aims)
    command.add_argument(
        "--to-beat", type=int, metavar="SCORE", help=gettext("the best score so far")
    )
    command.add_argument(
        "--after", type=int, metavar="N", help=gettext("so many players still to come")
    )
    command.add_argument("--format", metavar="ATOMS", help=gettext(_ROUND))
    command.set_defaults(run=("advise", "advise"))
    _add_costly(command)

    command = commands.add_parser("fair", help=gettext("tell which rules are fair to every seat"))
    command.add_argument("game", metavar="GAME", help=gettext(_NAMES))
    _add_round(command)
    command.set_defaults(run=("fair", "fair"))
    _add_costly(command)

    command = commands.add_parser("compare", help=gettext("tell how strong fixed ways to play are"))
    command.add_argument("game", metavar="GAME", help=gettext(_NAMES))
    command.add_argument("--aim", default="mean", metavar="AIM", help=aims)
    command.add_argument(
        "--sheet",
        action="store_true",
        help=gettext("also a strategy that fits on one sheet of paper"),
    )
    command.set_defaults(run=("compare", "compare"))
    _add_costly(command)


def _add_serve(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "serve",
        help=gettext("serve the game to browsers"),
        epilog=gettext(
            "In the environment: SHUTBOX_DATABASE, a database whose URL is to be in no list of "
            "processes; SHUTBOX_METRICS_TOKEN, what whoever reads /metrics has to show; "
            "SHUTBOX_DATA, your own folder of records."
        ),
    )
    command.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help=gettext("the address to listen on (default: 127.0.0.1, this machine alone)"),
    )
    command.add_argument(
        "--port",
        type=int,
        default=8000,
        metavar="N",
        help=gettext("the port to listen on (default: 8000)"),
    )
    command.add_argument(
        "--database",
        metavar="URL",
        help=gettext(
            "sqlite:///FILE or postgresql://USER@HOST/NAME (default: SHUTBOX_DATABASE, or else "
            "tables.db in your own folder of records)"
        ),
    )
    command.add_argument(
        "--url",
        default="",
        metavar="URL",
        help=gettext("the address that people use, where a proxy stands before it"),
    )
    command.add_argument(
        "--proxies",
        default="127.0.0.1",
        metavar="ADDRESSES",
        help=gettext(
            "the proxies that are believed: addresses and networks, with commas between them "
            "(default: 127.0.0.1)"
        ),
    )
    command.add_argument(
        "--rates",
        default="memory://",
        metavar="URL",
        help=gettext("where rates are counted: redis://HOST for several processes"),
    )
    command.add_argument(
        "--unlimited",
        action="append",
        default=[],
        metavar="ADDRESS",
        help=gettext("an address that no rate holds for; may be given several times"),
    )
    command.set_defaults(run=("serve", "serve"))


def _add_round(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seats", type=int, metavar="N", help=gettext("for so many players in turn")
    )
    command.add_argument("--format", metavar="ATOMS", help=gettext(_ROUND))


def _add_costly(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--anyway", action="store_true", help=gettext("whatever it takes of time and memory")
    )
    _add_json(command)


def _add_records(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The commands that ask about records."""
    newest = gettext("the number of a game of your own, or a file; without it, the newest")

    command = commands.add_parser(
        "show", help=gettext("tell a game that was played: its score and moves")
    )
    _add_record(command, newest)
    command.add_argument("--at", type=int, metavar="N", help=gettext("how it stood after event N"))
    command.set_defaults(run=("show", "show"))
    _add_json(command)

    command = commands.add_parser("replay", help=gettext("watch a game again, step by step"))
    _add_record(command, newest)
    _add_plain(command)
    command.set_defaults(run=("show", "replay"))
    _add_json(command)

    command = commands.add_parser(
        "check", help=gettext("say whether a record is sound, and what is wrong")
    )
    _add_record(command, newest)
    command.set_defaults(run=("check", "check"))
    _add_json(command)

    command = commands.add_parser(
        "chips", help=gettext("explain every account of a match, line by line")
    )
    _add_record(command, newest)
    command.set_defaults(run=("chips", "chips"))
    _add_json(command)

    command = commands.add_parser("export", help=gettext("print a record as JSON"))
    _add_record(command, newest)
    command.set_defaults(run=("import_export", "export"))

    command = commands.add_parser("import", help=gettext("keep a record that was exported as JSON"))
    command.add_argument("file", metavar="FILE", help=gettext("what export printed"))
    command.set_defaults(run=("import_export", "import_"))

    command = commands.add_parser("stats", help=gettext("sum up your own games, and the dice"))
    command.add_argument("--player", metavar="NAME", help=gettext("only this player"))
    command.set_defaults(run=("stats", "stats"))
    _add_json(command)


def _add_record(command: argparse.ArgumentParser, help: str) -> None:
    command.add_argument("record", nargs="?", metavar="RECORD", help=help)


def _add_playing(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--throw",
        choices=("auto", "ask"),
        default="auto",
        help=gettext("dice fall by themselves, or when you press Enter (default: auto)"),
    )
    command.add_argument(
        "--hints",
        choices=("off", "legal", "ranked", "explained"),
        default="explained",
        help=gettext("how much h tells when you ask for a hint (default: explained)"),
    )
    command.add_argument(
        "--coach",
        action="store_true",
        help=gettext("say after each of your choices what it has cost"),
    )
    _add_plain(command)


def _add_plain(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plain", action="store_true", help=gettext("words only, no picture, no line editing")
    )


def _add_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help=gettext("print JSON for programs"))
