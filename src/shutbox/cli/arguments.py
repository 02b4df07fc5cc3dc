"""The commands and their arguments."""

import argparse
from collections.abc import Callable
from functools import partial
from operator import methodcaller
from typing import Any, NoReturn

from shutbox import __version__
from shutbox.cli.admin_arguments import add_admin
from shutbox.english import visible
from shutbox.messages import gettext

_Argument = Callable[[argparse._ActionsContainer], object]  # adds itself to a command
_Add = Callable[..., argparse.ArgumentParser]  # adds a command: about, its arguments, and `run`


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(visible(message))


def arguments_parser() -> argparse.ArgumentParser:
    """The parser; `run` of what it reads is the module of the command and its function."""
    description = gettext("Shut the Box under all its house rules.")
    parser: argparse.ArgumentParser = _Parser(prog="shutbox", description=description)
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    add = partial(_add_command, commands)
    plain = _switch("--plain", help=gettext("words only, no picture, no line editing"))
    json = _switch("--json", help=gettext("print JSON for programs"))
    _add_playing(add, plain)
    _add_questions(add, json)
    _add_records(add, plain, json)
    _add_serve(add)
    add_admin(commands)
    _add_analysis(add, json)
    _add_practice(add, plain)
    return parser


def _argument(*names: str, **details: Any) -> _Argument:
    return methodcaller("add_argument", *names, **details)


_switch = partial(_argument, action="store_true")


def _add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    about: str,
    *arguments: _Argument,
    run: tuple[str, str],
) -> argparse.ArgumentParser:
    """Add a command, which has the name of its function."""
    command = commands.add_parser(run[1].rstrip("_"), help=about)
    for add_to in arguments:
        add_to(command)
    command.set_defaults(run=run)
    return command


def _add_playing(add: _Add, plain: _Argument) -> None:
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
        "or a match such as pub; without it, a menu"
    )
    game = _argument("game", nargs="?", metavar="GAME", help=about)
    about = gettext(
        "who plays: names with commas; computer, or computer:KIND, for a computer player: pip, "
        "nell, hobbs, odette or abacus; perfect, sheet, careful, fewest, most, highest, first, "
        "random, fixed"
    )
    players = _argument("--players", metavar="NAMES", help=about)
    about = gettext(
        "how turns become a match, such as rounds=5,begins=high-roll,stake=1; the atoms are "
        "rounds, target, limit, until, shut, order, begins, end, stake, bonus, ties, purse"
    )
    format = _argument("--format", metavar="ATOMS", help=about)
    about = gettext("dice fall by themselves, or when you press Enter (default: auto)")
    throw = _argument("--throw", choices=("auto", "ask"), default="auto", help=about)
    levels = ("off", "legal", "ranked", "explained")
    about = gettext("how much h tells when you ask for a hint (default: explained)")
    hints = _argument("--hints", choices=levels, default="explained", help=about)
    coach = _switch("--coach", help=gettext("say after each of your choices what it has cost"))
    playing = (throw, hints, coach, plain)

    about = gettext("play a game in the terminal")
    add(about, game, players, format, _dice, *playing, run=("play", "play"))

    about = gettext(
        "the number of a game of your own, or a file; without it, the newest that is not over"
    )
    record = _argument("record", nargs="?", metavar="RECORD", help=about)
    add(gettext("go on with a game that was left"), record, *playing, run=("play", "resume"))


def _dice(command: argparse._ActionsContainer) -> None:
    dice = command.add_mutually_exclusive_group()
    about = gettext("the operating system's dice, or your own that you type in (default: system)")
    dice.add_argument("--dice", choices=("system", "hand"), default="system", help=about)
    about = gettext("the same dice for the same text, for ever")
    dice.add_argument("--seed", metavar="TEXT", help=about)


def _add_questions(add: _Add, json: _Argument) -> None:
    about = gettext("the games that you have played")
    mine = _argument(
        "--mine", dest="run", action="store_const", const=("own_games", "mine"), help=about
    )
    about = gettext("list the games of the catalogue, or your own")
    add(about, mine, json, run=("catalogue", "games"))

    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
        "or a match such as pub"
    )
    game = _argument("game", metavar="GAME", help=about)
    add(gettext("tell the rules of a game or a match"), game, json, run=("catalogue", "rules"))

    about = gettext("such as classic:1.5.9/2+2, or a game or a match for its start")
    position = _argument("position", metavar="POSITION", help=about)
    about = gettext("tell what a position waits for and all it offers")
    add(about, position, json, run=("catalogue", "legal"))

    about = gettext(
        "a file ending in .svg, or in .png with the extra png (default: standard output)"
    )
    output = _argument("-o", "--output", metavar="FILE", help=about)
    add(gettext("draw a position as an SVG or a PNG"), position, output, run=("picture", "picture"))


def _add_records(add: _Add, plain: _Argument, json: _Argument) -> None:
    newest = gettext("the number of a game of your own, or a file; without it, the newest")
    record = _argument("record", nargs="?", metavar="RECORD", help=newest)

    at = _argument("--at", type=int, metavar="N", help=gettext("how it stood after event N"))
    about = gettext("tell a game that was played: its score and moves")
    add(about, record, at, json, run=("show", "show"))
    add(gettext("watch a game again, step by step"), record, plain, json, run=("show", "replay"))
    about = gettext("say whether a record is sound, and what is wrong")
    add(about, record, json, run=("check", "check"))
    about = gettext("explain every account of a match, line by line")
    add(about, record, json, run=("chips", "chips"))

    add(gettext("print a record as JSON"), record, run=("import_export", "export"))

    file = _argument("file", metavar="FILE", help=gettext("what export printed"))
    add(gettext("keep a record that was exported as JSON"), file, run=("import_export", "import_"))

    player = _argument("--player", metavar="NAME", help=gettext("only this player"))
    add(gettext("sum up your own games, and the dice"), player, json, run=("own_games", "stats"))

    about = gettext(
        "numbers of games of your own, or files: one is told event by event, several are summed "
        "up; without any, all your own"
    )
    records = _argument("records", nargs="*", metavar="RECORD", help=about)
    table = _switch("--csv", help=gettext("print a row for each event as CSV"))
    exact = _switch("--exact", help=gettext("whole fractions in JSON and CSV, nothing rounded"))
    about = gettext("draw the expected result over one game into an SVG, PNG or PDF file")
    drawn = _argument("--plot", metavar="FILE", help=about)
    anyway = _switch("--anyway", help=gettext("whatever it takes of time and memory"))
    about = gettext("tell what was luck and what was skill")
    add(about, records, player, table, exact, drawn, anyway, json, run=("review", "review"))


def _add_serve(add: _Add) -> None:
    serve = add(gettext("serve the game to browsers"), run=("serve", "serve"))
    about = gettext("the address to listen on (default: 127.0.0.1, this machine alone)")
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=about)
    about = gettext("the port to listen on (default: 8000)")
    serve.add_argument("--port", type=int, default=8000, metavar="N", help=about)
    about = gettext(
        "sqlite:///FILE or postgresql://USER@HOST/NAME (default: SHUTBOX_DATABASE, or else "
        "tables.db in your own folder of records)"
    )
    serve.add_argument("--database", metavar="URL", help=about)
    about = gettext("the address that people use, where a proxy stands before it")
    serve.add_argument("--url", default="", metavar="URL", help=about)
    about = gettext(
        "the proxies that are believed: addresses and networks, with commas between them "
        "(default: 127.0.0.1)"
    )
    serve.add_argument("--proxies", default="127.0.0.1", metavar="ADDRESSES", help=about)
    about = gettext("where rates are counted: redis://HOST for several processes")
    serve.add_argument("--rates", default="memory://", metavar="URL", help=about)
    about = gettext(
        "how long it serves on, and says at /ready that it closes, once it is told to stop "
        "(default: 0)"
    )
    serve.add_argument("--drain", type=float, default=0.0, metavar="SECONDS", help=about)
    about = gettext(
        "after how long a table expires at which nothing happens, such as 400d; the records of "
        "its games are kept (default: never)"
    )
    serve.add_argument("--expire", metavar="TIME", help=about)
    about = gettext("the records of the games expire with the tables")
    serve.add_argument("--expire-records", action="store_true", help=about)
    about = gettext("an address that no rate holds for; may be given several times")
    serve.add_argument("--unlimited", action="append", default=[], metavar="ADDRESS", help=about)
    serve.epilog = gettext(
        "In the environment: SHUTBOX_DATABASE, which keeps the URL of the database out of the "
        "list of processes; SHUTBOX_METRICS_TOKEN, the token that opens /metrics; SHUTBOX_DATA, "
        "your own folder of records; SHUTBOX_CACHE, where what was worked out is kept."
    )


def _add_analysis(add: _Add, json: _Argument) -> None:
    """The commands that ask what a position is worth."""
    costly = (_switch("--anyway", help=gettext("whatever it takes of time and memory")), json)
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"
    )
    game = _argument("game", metavar="GAME", help=about)
    about = gettext("for so many players in turn")
    seats = _argument("--seats", type=int, metavar="N", help=about)
    about = gettext("how turns become a match, such as rounds=3 or shut=wins,stake=1")
    format = _argument("--format", metavar="ATOMS", help=about)
    aims = gettext("mean, shut, worst-shut, or beat:T for a score to beat (default: mean)")

    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml; "
        "a match such as pub; or a position of either"
    )
    place = _argument("game", metavar="GAME", help=about)
    about = gettext(
        "mean, shut, worst-shut, or beat:T for a score to beat (default: mean); in a match "
        "win or chips"
    )
    aim = _argument("--aim", metavar="AIM", help=about)
    at = _argument("--at", metavar="POSITION", help=gettext("from there on, such as 1.5.9/2+2"))
    exact = _switch("--exact", help=gettext("whole fractions, nothing rounded"))
    about = gettext("draw the odds into an SVG, PNG or PDF file")
    plot = _argument("--plot", metavar="FILE", help=about)
    about = gettext("tell what a game is worth under best play")
    add(about, place, aim, at, seats, format, exact, plot, *costly, run=("odds", "odds"))

    about = gettext("such as classic:1-9/3+5, or one of a match")
    position = _argument("position", metavar="POSITION", help=about)
    aim = _argument("--aim", metavar="AIM", help=aims)
    about = gettext("the best score so far")
    to_beat = _argument("--to-beat", type=int, metavar="SCORE", help=about)
    about = gettext("so many players still to come")
    after = _argument("--after", type=int, metavar="N", help=about)
    about = gettext("rank the choices of a position, and say why")
    add(about, position, aim, to_beat, after, format, *costly, run=("advise", "advise"))

    about = gettext("a match of two such as race-200, or a game, with --format")
    match = _argument("match", metavar="MATCH", help=about)
    round = _argument("--round", type=int, metavar="N", help=gettext("this round only"))
    about = gettext("the second turn of a round, not the first")
    second = _switch("--second", help=about)
    about = gettext("what the first turn scored, where that decides who begins the next round")
    score = _argument("--score", type=int, metavar="SCORE", help=about)
    about = gettext("the first turn shut the box, where that matters")
    shut = _switch("--shut", help=about)
    about = gettext("every so many points (default: as many as fit)")
    step = _argument("--step", type=int, metavar="POINTS", help=about)
    table = _switch("--csv", help=gettext("print the standings as CSV"))
    about = gettext("draw the shares into an SVG, PNG or PDF file")
    drawn = _argument("--plot", metavar="FILE", help=about)
    about = gettext("tell the share of the win at every standing of a match of two")
    turn = (round, second, score, shut)
    add(about, match, format, *turn, step, table, drawn, *costly, run=("equity", "equity"))

    about = gettext("a game, or a match such as cargo-night")
    either = _argument("game", metavar="GAME", help=about)
    about = gettext("tell which rules are fair to every seat")
    add(about, either, seats, format, *costly, run=("fair", "fair"))

    aim = _argument("--aim", default="mean", metavar="AIM", help=aims)
    sheet = _switch("--sheet", help=gettext("also a strategy that fits on one sheet of paper"))
    about = gettext(
        "whom to compare instead of all fixed ways to play: perfect, fewest, most, highest, first, "
        "careful, sheet, random, fixed, or a class or function of your own, such as mine:BothDice "
        "of mine.py; may be given several times"
    )
    player = _argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    about = gettext("tell how strong players and fixed ways to play are")
    add(about, game, aim, player, sheet, *costly, run=("compare", "compare"))


def _add_practice(add: _Add, plain: _Argument) -> None:
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml "
        "(default: classic)"
    )
    game = _argument("game", nargs="?", default="classic", metavar="GAME", help=about)
    about = gettext("ask so many questions; without it, until you leave")
    questions = _argument("--questions", type=int, metavar="N", help=about)
    seed = _argument("--seed", metavar="TEXT", help=gettext("the same questions for the same text"))
    about = gettext("practise choices: questions, what each answer costs, and why")
    add(about, game, questions, seed, plain, run=("practice", "practice"))
