"""`shutbox games`, `rules`, `legal`, `picture` and `conform`: facts about games."""

import argparse
from pathlib import Path

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import print_answer
from shutbox.engine.english import capital, counted, listed, shown, visible_path
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Choose, Over, Throw, position_text
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.games.catalogue import catalogue, console_note, package_of
from shutbox.match import presets
from shutbox.output.picture import png, svg
from shutbox.output.results import replacing
from shutbox.table.lookup import difference, find_any, find_position

MOST_PLAYS = 10_000  # of a game that is tested against the protocol


def games_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox games`."""
    add_switch(parser, "--mine", gettext("the games that you have played"))
    add_shared(parser, "--json")
    parser.set_run(games, "", "--mine")


def games(arguments: argparse.Namespace) -> None:
    """Print the games of the catalogue and the named matches, or with `--mine` those played."""
    if arguments.mine:
        from shutbox.cli.own_games import list_own  # the catalogue does not need it

        list_own(arguments)
        return
    named = [(entry.name, entry.shown_title, entry.source) for entry in catalogue()]
    named += [(preset.name, preset.shown_title, preset.source) for preset in presets().values()]
    rows, lines = list[dict[str, str]](), list[str]()
    for name, title, source in named:
        row = {"name": name, "title": title, "differs": difference(name), "source": source}
        says = gettext_noop("{name}: {title}. {differs}. Source {source}.")
        if package := package_of(name):
            row["package"] = package
            says = gettext_noop("{name}: {title}. {differs}. Package {package}.")
        rows.append(row)
        lines.append(gettext(says, **{**row, "source": source and gettext(source)}))
    print_answer(arguments, lines, lambda: rows)


def rules_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox rules`."""
    add_shared(parser, "game", "--json")
    parser.set_run(rules, "pub", "'classic(tiles=1-12)'")


def rules(arguments: argparse.Namespace) -> None:
    """Print the rule card of a game or a match. Raises as `find_any`."""
    game = find_any(arguments.game)
    card = game.card()
    lines = [gettext("{title}.", title=card.title), *card.lines, console_note(game.name)]
    lines = [*filter(None, lines), gettext("Name: {name}", name=game.name)]
    value = {"game": game.name, "title": card.title, "rules": card.lines, "options": card.options}
    print_answer(arguments, lines, lambda: value)


def conform_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox conform`."""
    add_shared(parser, "game")
    text = gettext("how many times to play it at random (default: 10)")
    parser.add_argument("--plays", type=int, default=10, metavar="N", help=text)
    text = gettext("the seed that decides the plays (default: 0)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=text)
    parser.set_run(conform, "acme.pig", "acme.pig --plays 100 --seed 7")


def conform(arguments: argparse.Namespace) -> int:
    """Play a game at random; print that it keeps the protocol, return 0; or its fault, return 1."""
    from shutbox.testing import ConformanceError, check

    game = find_any(arguments.game)
    if not 1 <= arguments.plays <= MOST_PLAYS:
        raise NotUnderstood("--plays: give a number from 1 to {most}", most=MOST_PLAYS)
    try:
        seen = check(game, plays=arguments.plays, seed=arguments.seed)
    except ConformanceError as error:
        print(error)
        return 1
    facts = {"game": arguments.game, "number": seen}
    print(gettext("{game} keeps the protocol at all {number:,} positions that came up.", **facts))
    return 0


def legal_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox legal`."""
    add_shared(parser, "position", "--json")
    parser.set_run(legal, "classic:1.5.9/2+2", "pub --json")


def legal(arguments: argparse.Namespace) -> None:
    """Print the dice to throw, the choices or the score there. Raises as `find_position`."""
    game, position = find_position(arguments.position)
    text = position_text(game, position)
    match game.awaits(position):
        case Throw(dice=dice, seat=seat):
            value = {"awaits": "throw", "seat": seat, "dice": str(dice)}
            lines = [gettext("A throw is due: {dice}.", dice=dice)]
        case Choose(choices=choices, seat=seat):
            offers = [game.choice_text(choice) for choice in choices]
            value = {"awaits": "choose", "seat": seat, "choices": offers}
            open_now = counted(
                "{number} choice is open.", "{number} choices are open.", len(offers)
            )
            lines = [capital(open_now), *offers]
        case Over(scores=scores):
            value = {"awaits": "over", "seat": None, "scores": scores}
            lines = [gettext("It is over. Score: {score}.", score=listed(scores))]
    print_answer(arguments, [text, *lines], lambda: {"position": text, **value})


def picture_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox picture`."""
    add_shared(parser, "position")
    text = gettext(
        "a file ending in .svg, or in .png with the extra png (default: standard output)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help=text)
    parser.set_run(picture, "classic:1.5.9/2+2 -o box.svg", "full-house -o box.png")


def picture(arguments: argparse.Namespace) -> None:
    """Print a position as SVG, or write it to `--output`, which ends in .svg or .png.

    Raises NotUnderstood for another file, and what `find_position`, `png` and `replacing` raise.
    """
    game, position = find_position(arguments.position)
    scene = game.scene(position)
    if arguments.output is None:
        print(svg(scene))
        return
    file = Path(arguments.output)
    match file.suffix.lower():
        case ".svg":
            drawn = f"{svg(scene)}\n".encode()
        case ".png":
            drawn = png(scene)
        case _:
            raise NotUnderstood(
                "--output: {file} ends neither in .svg nor in .png", file=shown(arguments.output)
            )
    with replacing(file) as stream:
        stream.write(drawn)
    print(gettext("The picture is in {file}.", file=visible_path(file)))
