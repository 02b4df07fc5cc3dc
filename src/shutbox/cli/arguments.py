"""The commands and their arguments."""

import argparse
from collections.abc import Callable
from functools import partial
from operator import methodcaller
from typing import Any

from shutbox import __version__
from shutbox.cli.admin_arguments import add_admin
from shutbox.cli.hearing_arguments import add_keys, add_length, add_voice
from shutbox.cli.parser import Commands, Listed, Parser, examples_of
from shutbox.cli.serve_arguments import add_serve
from shutbox.messages import gettext

THROWS = ("auto", "ask")
HINTS = ("off", "legal", "ranked", "explained")
PACES = ("none", "quick", "normal", "slow")
"""As `shutbox.term.pauses` names them, which is not imported to tell what options there are."""

_Argument = Callable[[argparse._ActionsContainer], object]  # adds itself to a command
_Add = Callable[..., argparse.ArgumentParser]  # adds a command: about, its arguments, and `run`


def arguments_parser() -> argparse.ArgumentParser:
    """The parser; `run` of what it reads is the module of the command and its function."""
    parser = Parser(
        prog="shutbox",
        description=gettext("Shut the Box under all its house rules."),
    )
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    commands = parser.add_subparsers(prog="shutbox", dest="command", metavar="COMMAND")
    groups: dict[str, Listed] = {}

    def under(title: str) -> _Add:
        return partial(_add_command, commands, groups.setdefault(title, []))

    plain = _switch("--plain", help=gettext("words only, no picture, no line editing"))
    json = _switch("--json", help=gettext("print JSON for programs"))
    _add_playing(under(gettext("Play")), plain)
    _add_practice(under(gettext("Play")), plain)
    _add_questions(under(gettext("The games and their rules")), json)
    _add_records(under(gettext("Your own games")), plain, json)
    worth = under(gettext("What it is worth"))
    _add_odds(worth, json)
    _add_policy(worth)
    _add_advise(worth, json)
    _add_equity(worth, json)
    _add_fair(worth, json)
    _add_compare(worth, json)
    add_serve(under(gettext("For hosts")))
    groups[gettext("For hosts")].append(add_admin(commands))
    _add_help(under(gettext("Help")))
    parser.groups = groups
    return parser


def _argument(*names: str, **details: Any) -> _Argument:
    return methodcaller("add_argument", *names, **details)


_switch = partial(_argument, action="store_true")


def _grouped(title: str, *arguments: _Argument) -> _Argument:
    def add_to(command: argparse._ActionsContainer) -> None:
        group = command.add_argument_group(title)
        for add in arguments:
            add(group)

    return add_to


def _add_command(
    commands: Commands,
    listed: Listed,
    about: str,
    *arguments: _Argument,
    run: tuple[str, str],
) -> argparse.ArgumentParser:
    """Add a command, which has the name of its function."""
    name = run[1].rstrip("_")
    command = commands.add_parser(name, help=about, epilog=examples_of(name))
    for add_to in arguments:
        add_to(command)
    command.set_defaults(run=run)
    listed.append((name, about))
    return command


def _add_playing(add: _Add, plain: _Argument) -> None:
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
        "or a match such as pub; without it, the first screen"
    )
    game = _argument("game", nargs="?", metavar="GAME", help=about)
    about = gettext(
        "who plays: names with commas; a computer player is computer, or computer:KIND. The kinds "
        "are pip, nell, hobbs, odette and abacus; perfect, sheet, careful, fewest, most, highest, "
        "first, random and fixed"
    )
    players = _argument("--players", metavar="NAMES", help=about)
    about = gettext(
        "how turns become a match, such as rounds=5,begins=high-roll,stake=1; the atoms are "
        "rounds, target, limit, until, shut, order, begins, end, stake, bonus, ties, purse"
    )
    format = _argument("--format", metavar="ATOMS", help=about)
    about = gettext(
        "dice fall by themselves, or when you press Enter (default: auto; in Cargo ask, at a "
        "terminal). At a terminal Enter always throws the first dice of a turn"
    )
    throw = _argument("--throw", choices=THROWS, help=about)
    about = gettext("how much h tells when you ask for a hint (default: explained)")
    hints = _argument("--hints", choices=HINTS, default="explained", help=about)
    coach = _switch("--coach", help=gettext("say after each of your choices what it has cost"))
    about = gettext(
        "how long the computer's players pause, so that you can follow; any key skips it"
    )
    pace = _argument("--pace", choices=PACES, help=about)
    ways = (throw, hints, coach, pace, add_length, add_keys, add_voice, plain)
    told = _grouped(gettext("how it is played and told"), *ways)

    about = gettext("play a game in the terminal")
    who = _grouped(gettext("who plays, and for what"), players, format)
    dice = _grouped(gettext("the dice"), _dice)
    add(about, game, who, dice, told, run=("play", "play"))

    about = gettext(
        "the number of a game of your own, or a file; without it, the newest that is not over"
    )
    record = _argument("record", nargs="?", metavar="RECORD", help=about)
    add(gettext("go on with a game that was left"), record, told, run=("play", "resume"))


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
    about = gettext("write to a file ending in .csv, .jsonl or .parquet")
    output = _argument("-o", "--output", metavar="FILE", help=about)

    at = _argument("--at", type=int, metavar="N", help=gettext("how it stood after event N"))
    about = gettext("tell a game that was played: its score and moves")
    add(about, record, at, json, run=("show", "show"))
    told = (add_length, add_voice, plain)
    add(gettext("watch a game again, step by step"), record, *told, json, run=("show", "replay"))
    about = gettext("say whether a record is sound, and what is wrong")
    add(about, record, json, run=("check", "check"))
    about = gettext("explain every account of a match, line by line")
    add(about, record, json, run=("chips", "chips"))

    every = _switch("--all", help=gettext("every game of your own, a line of JSON for each"))
    add(
        gettext("hand records on to other programs"),
        record,
        every,
        output,
        run=("import_export", "export"),
    )

    file = _argument(
        "file", metavar="FILE", help=gettext("what export printed, or wrote into a .jsonl")
    )
    add(gettext("keep records that were exported as JSON"), file, run=("import_export", "import_"))

    player = _argument("--player", metavar="NAME", help=gettext("only this player"))
    add(
        gettext("sum up your own games, and the dice"),
        player,
        output,
        json,
        run=("own_games", "stats"),
    )

    about = gettext(
        "numbers of games of your own, or files: one is told event by event, several are summed "
        "up; without any, all your own"
    )
    records = _argument("records", nargs="*", metavar="RECORD", help=about)
    table = _switch("--csv", help=gettext("print a row for each event as CSV"))
    exact = _switch(
        "--exact", help=gettext("whole fractions in JSON, CSV and files, nothing rounded")
    )
    about = gettext("draw the expected result over one game into an SVG, PNG or PDF file")
    drawn = _argument("--plot", metavar="FILE", help=about)
    about = gettext("tell what was luck and what was skill")
    printed = _grouped(gettext("how it is printed"), table, output, exact, drawn, json)
    add(about, records, player, _anyway(), printed, run=("review", "review"))


def _anyway() -> _Argument:
    return _switch("--anyway", help=gettext("go ahead, however much time and memory it takes"))


def _solved_game() -> _Argument:
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"
    )
    return _argument("game", metavar="GAME", help=about)


def _solved_aim(default: str | None = "mean") -> _Argument:
    about = gettext("mean, shut, worst-shut, or beat:T for a score to beat (default: mean)")
    return _argument("--aim", default=default, metavar="AIM", help=about)


def _solved_format() -> _Argument:
    about = gettext("how turns become a match, such as rounds=3 or shut=wins,stake=1")
    return _argument("--format", metavar="ATOMS", help=about)


def _seats() -> _Argument:
    about = gettext("for this many players in turn")
    return _argument("--seats", type=int, metavar="N", help=about)


def _add_odds(add: _Add, json: _Argument) -> None:
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
    about = gettext("from this position on, such as 1.5.9/2+2")
    asked = (place, aim, _argument("--at", metavar="POSITION", help=about), _seats())
    exact = _switch("--exact", help=gettext("whole fractions, nothing rounded"))
    about = gettext("draw the odds into an SVG, PNG or PDF file")
    plot = _argument("--plot", metavar="FILE", help=about)
    printed = _grouped(gettext("how it is printed"), exact, plot, json)
    about = gettext("tell what a game is worth under best play")
    add(about, *asked, _solved_format(), _anyway(), printed, run=("odds", "odds"))


def _add_policy(add: _Add) -> None:
    about = gettext("the file to write, ending in .csv, .jsonl or .parquet")
    output = _argument("-o", "--output", required=True, metavar="FILE", help=about)
    about = gettext("write the best choice of every position into a file")
    add(about, _solved_game(), _solved_aim(), _anyway(), output, run=("policy", "policy"))


def _add_advise(add: _Add, json: _Argument) -> None:
    about = gettext("such as classic:1-9/3+5, or one of a match")
    position = _argument("position", metavar="POSITION", help=about)
    about = gettext("the best score so far")
    to_beat = _argument("--to-beat", type=int, metavar="SCORE", help=about)
    about = gettext("how many players are still to come")
    after = _argument("--after", type=int, metavar="N", help=about)
    asked = (position, _solved_aim(None), to_beat, after, _solved_format())
    about = gettext("rank the choices of a position, and say why")
    add(about, *asked, _anyway(), json, run=("advise", "advise"))


def _add_equity(add: _Add, json: _Argument) -> None:
    about = gettext("a match of two such as race-200, or a game, with --format")
    match = _argument("match", metavar="MATCH", help=about)
    round = _argument("--round", type=int, metavar="N", help=gettext("this round only"))
    about = gettext("the second turn of a round, not the first")
    second = _switch("--second", help=about)
    about = gettext("what the first turn scored, where that decides who begins the next round")
    score = _argument("--score", type=int, metavar="SCORE", help=about)
    about = gettext("the first turn shut the box, where that matters")
    shut = _switch("--shut", help=about)
    turn = _grouped(gettext("which turn of a round"), round, second, score, shut)
    about = gettext("the points from one standing to the next (default: as many rows as fit)")
    step = _argument("--step", type=int, metavar="POINTS", help=about)
    table = _switch("--csv", help=gettext("print the standings as CSV"))
    about = gettext("draw the shares into an SVG, PNG or PDF file")
    drawn = _argument("--plot", metavar="FILE", help=about)
    printed = _grouped(gettext("how it is printed"), step, table, drawn, json)
    about = gettext("tell the share of the win at every standing of a match of two")
    add(about, match, _solved_format(), _anyway(), turn, printed, run=("equity", "equity"))


def _add_fair(add: _Add, json: _Argument) -> None:
    about = gettext("a game, or a match such as cargo-night")
    game = _argument("game", metavar="GAME", help=about)
    about = gettext("tell which rules are fair to every seat")
    add(about, game, _seats(), _solved_format(), _anyway(), json, run=("fair", "fair"))


def _add_compare(add: _Add, json: _Argument) -> None:
    sheet = _switch("--sheet", help=gettext("also a strategy that fits on one sheet of paper"))
    about = gettext(
        "compare this player instead of all fixed ways to play; may be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed, or your "
        "own class or function, such as mine:BothDice"
    )
    player = _argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    asked = (_solved_game(), _solved_aim(), player, sheet)
    about = gettext("tell how strong players and fixed ways to play are")
    add(about, *asked, _anyway(), json, run=("compare", "compare"))


def _add_practice(add: _Add, plain: _Argument) -> None:
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml "
        "(default: classic)"
    )
    game = _argument("game", nargs="?", default="classic", metavar="GAME", help=about)
    about = gettext("ask this many questions; without it, until you leave")
    questions = _argument("--questions", type=int, metavar="N", help=about)
    seed = _argument("--seed", metavar="TEXT", help=gettext("the same questions for the same text"))
    about = gettext("practise choices: questions, what each answer costs, and why")
    add(about, game, questions, seed, add_voice, plain, run=("practice", "practice"))


def _add_help(add: _Add) -> None:
    words = _argument("words", nargs="*", metavar="COMMAND", help=gettext("such as play"))
    add(gettext("tell what a command does, and how it is typed"), words, run=("help", "help_"))
