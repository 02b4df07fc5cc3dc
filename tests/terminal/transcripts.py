"""Golden transcripts: the terminal's text in --plain mode for a seed and a list of typed lines.

    python -m pytest tests/terminal --golden

writes them into `tests/terminal/transcripts/` instead of comparing; review the diff. Each is short
enough to read at once: less than two screens of 24 lines.
"""

from pathlib import Path

from terminal.driver import Terminal, command

FOLDER = Path(__file__).with_name("transcripts")
MOST_LINES = 48
"""The lines of two screens."""

SCRIPTS: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "classic": (
        *(("classic",), "violet"),
        ("l", "6", "4 4", "15", "u", "2+9", "1", "3, 8", "s", "7", "three", "1", "", "no"),
    ),
    "double-shutter": (
        *(("double-shutter",), "slate"),
        ("2 9", "b", "l", "4", "b6", "7", "8 1", "2", "3 b9", "b", "", "no"),
    ),
    "cargo": (
        *(("cargo", "--throw", "auto"), "heath"),
        ("l", "throw", "throw", "s", "sail", "throw 1", "u", "a", "s", "u", "s", "end"),
    ),
    "the-300": (
        *(("the-300",), "harbour"),
        ("l", "11", "15", "1 14", "30", "16", "2 12", "3 13", "4 8", "5 10", "no"),
    ),
    "tray": (
        *(("tray(dice=3d6)",), "slate"),
        ("?", "h 6", "h", "throw", "free 6", "add d20", "t", "b", "hold 7", "remove d20", "end"),
    ),
    "thai-style": (
        *(("thai-style",), "umber"),
        ("l", "7", "1 2", "8", "7", "5", "s", "2", "no"),
    ),
    "pub": (
        *(("pub", "--players", "Ann,computer:most"), "fern"),
        ("s", "6", "7", "n", "1 and 9", "5", "2 and 4", "no"),
    ),
    "high-roll": (
        (
            *("lucky-seven", "--players", "Ann,Bob"),
            *("--format", "rounds=1,begins=high-roll,stake=2,purse=1.20"),
        ),
        *("oak", ("sell", "buy 20 chips", "s", "no")),
    ),
    "dice-of-hands": (
        *(("lucky-seven", "--players", "Ann,Bob", "--dice", "hand"), ""),
        ("3 6", "c", "3 4", "c", "4 5", "3 6", "c", "1 6", "end"),
    ),
    "terms": (
        *(("--players", "Rosie and Nell"), "terms"),
        (
            *("5 rounds", "two chips", "Nell begins", "highest throw", "and Dave", "without Dave"),
            *("no chips", "game ten", "me, Pip, 3 rounds", "Rosie, Nell, Rosie begins", "?", ""),
            "end",
        ),
    ),
    "terms-refused": (
        *(("--players", "Rosie and Nell, 3 rounds"), "terms"),
        (
            *("Dave begins", "best begins", "game zzz", "and me", "Bob and Cy", "Bob, 9 holes"),
            *("without Rosie, without Nell", "rounds", "best of 4", "13", "0 rounds", "tray"),
            *("5000000 rounds", "cargo, Ann and Bob, for a pony", "q"),
        ),
    ),
    "match-by-name": (
        *(("--players", "Rosie and Nell, 5 rounds, 2 chips, Nell begins"), "terms"),
        (
            "pub",
            "3 rounds",
            "1 chip, highest throw",
            "race-200",
            "4 rounds",
            "markers-five",
            "5 rounds",
            "q",
        ),
    ),
    "real-box": (
        *((), "real"),
        (
            *("4", "Ann and Bob, 3 rounds, 2 chips", "", "2 13", "1 to 3", "2"),
            *("?", "Zed had 1"),
            *(
                "Ann has 1 chip, Bob has 12 chips, pot 6",
                "Ann had 17, Bob had 20, Bob has 12 chips, pot 6",
                "Bob",
            ),
            *("7 points", "7 8", "1 2", "quit"),
        ),
    ),
    "real-cargo": (
        *((), "real"),
        (
            *("4", "cargo, alone", "?", "8", "ship, captain", "ship, 4", "1 2 3 4 5"),
            *("5 5", "quit"),
        ),
    ),
    "real-knockout": (
        *((), "real"),
        (
            *("4", "knockout, Ann and Bob", "", "all but 3", "2", "Ann had 45", "Ann had 44", "8"),
            *("Bob", "3", "q"),
        ),
    ),
    "real-2012": (
        *((), "real"),
        ("4", "2012, alone", "none", "0", "1.5/2+2", "1 to 5 and 8", "21", "7", "quit"),
    ),
    "computer": (
        *((), "menu"),
        ("2", "7", "Pip, Zorro", "", "computer:nell", "", "", "s", "n", "quit"),
    ),
    "again": (
        *(("lucky-seven",), "no seven"),
        ("what", "y", "end"),
    ),
    "choice-of-a-computer": (
        *(("cargo-night", "--players", "Robo=computer,Ann", "--throw", "ask"), "heath"),
        ("u", "s", "quit"),
    ),
    "hints": (
        *(("classic", "--dice", "hand"), ""),
        (*("3 5", "h", "h", "hint", "h much", "end"),),
    ),
    "not-there": (
        *((), "menu"),
        (
            *("zzz", "clasic", "practise carg", "99", "13", "klassic", "classic(fewer=x)", "0"),
            *("./nothing.toml", "ducks, 9 holes", "q"),
        ),
    ),
    "who-plays": (
        *(("pub",), "a"),
        (
            *("Ann,Ann", ",", "Ann,computer:clever", "Cy, computer, computer:hobbs", "", "s"),
            "quit",
        ),
    ),
    "cargo-night": (
        *(("cargo-night", "--players", "Ann,Bob", "--throw", "ask"), "heath"),
        ("d", "throw it", "7", "", "", "accept", "u", "s", "end"),
    ),
    "corrections": (
        *(("two-dice", "--dice", "hand"), ""),
        ("c", "8", "c", "9 9", "no", "3 5 5", "4 5", "9", "c", "b", "end"),
    ),
    "last-correction": (
        *(("unlucky-seven", "--dice", "hand"), ""),
        ("3 4", "c", "", "c", "what", "d", "4 4", "end"),
    ),
    "cargo-of-hands": (
        *(("cargo", "--dice", "hand"), ""),
        ("20", "1 2 3 4 5 6", "6 6 6", "end"),
    ),
    "no-chips": (
        (
            *("pub", "--players", "Ann,Bob,Cy", "--format", "rounds=2,purse=20.1.20"),
            *("--throw", "ask"),
        ),
        *("no chips", ("bu", "S", "u", "SIT", "s", "u", "leave", "s", "end")),
    ),
}
"""The command, the seed (empty for real dice) and the typed lines of each transcript."""


def path_of(name: str) -> Path:
    """Return the path of a transcript."""
    return FOLDER / f"{name}.txt"


def transcript(name: str) -> str:
    """Return the text on the terminal, from the command to the exit code."""
    played, seed, lines = SCRIPTS[name]
    arguments = ("play", *played, "--plain", *(("--seed", seed) if seed else ()))
    with Terminal(program=command(*arguments)) as terminal:
        for line in lines:
            assert terminal.prompt, f"it had ended before {line!r}:\n{terminal.text}"
            terminal.type(line)
        assert terminal.code is not None, f"{name} does not end:\n{terminal.text}"
        shown = "\n".join(line.rstrip() for line in terminal.text.splitlines())
    return f"$ shutbox {' '.join(arguments)}\n{shown}\nexit {terminal.code}\n"
