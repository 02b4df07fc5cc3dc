"""The longest tests: `make check` leaves them out, `make nightly` runs them part by part.

A part is a list of commands. `python tests/nightly.py kill site` runs two parts, without a name all
of them, and `list` names them. Each part prints one line at its end, and leaves it in
`build/nightly`, with the commit that was tested. A test belongs to a part if its name begins as
`PARTS` says, or if it is marked, as in `pytest.mark.nightly("cases")`. Of each long file, `SMOKE`
names what `make check` runs.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

EVERY = "SHUTBOX_EVERY_CASE" in os.environ
"""Whether to test every case, however long that takes."""
ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "build" / "nightly"
_TESTS = "python -m pytest -n 2 --dist worksteal --nightly {name}"
_INSTALL = "python -m uv pip install --quiet --python"
_EDGE = (  # warnings come from old packages, or announce future changes
    "-m pytest -n 2 -p no:cacheprovider "
    "-W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning "
    "tests/web/test_play.py tests/web/test_streams.py tests/web/test_health.py "
    "tests/output/test_picture.py tests/output/test_data_out.py"
)


@dataclass(frozen=True)
class Part:
    """A part of `make nightly`. `python` in its commands is that of the environment."""

    about: str
    commands: tuple[str, ...] = (_TESTS,)
    tests: tuple[str, ...] = ()  # the beginnings of their names, below the folder tests
    settings: tuple[tuple[str, str], ...] = ()  # environment variables


PARTS = {
    "cases": Part(
        "every game, match, size and seed, of which make check tests some",
        (_TESTS, _TESTS.removesuffix(" --nightly {name}")),
        (
            "browser/test_every_game.py",
            "rl/test_turn_arrays.py::test_a_learner_comes_close_to_perfect_play[learning.dqn]",
            "rl/test_environments.py::test_gymnasium_finds_nothing_to_say[the-300]",
            "solving/test_fast.py::test_what_is_compiled_is_kept",
            "test_guides.py::test_a_box",
            "test_guides.py::test_a_command",
            "web/test_openapi.py::test_a_generated_client",
        ),
        settings=(("SHUTBOX_EVERY_CASE", "1"),),
    ),
    "postgresql": Part(
        "the server on PostgreSQL",
        tests=(
            "web/test_backups.py::test_postgresql",
            "web/test_servers.py",
        ),
    ),
    "browsers": Part(
        "Firefox and WebKit; films, motion, widths and looks in Chromium",
        tests=(
            "browser/test_walk.py::test_todays_box",
            "browser/test_ending.py::test_the_caption_tells",
            "browser/test_ending.py::test_tiles_that_stand",
            "browser/test_engines.py",
            "browser/test_figures.py::test_a_better_score",
            "browser/test_figures.py::test_a_game_that_nobody",
            "browser/test_friends.py::test_a_rematch_is_asked",
            "browser/test_keys.py::test_a_digit_says",
            "browser/test_layout.py::test_back_closes",
            "browser/test_layout.py::test_nothing_shifts",
            "browser/test_layout.py::test_the_main_action_never_moves",
            "browser/test_leaving.py::test_the_others_hear",
            "browser/test_motion.py::test_the_lid_slams",
            "browser/test_notice.py",
            "browser/test_plain.py::test_the_card_at_the_end",
            "browser/test_replay.py::test_a_game_is_watched",
            "browser/test_settings.py::test_a_skin",
            "browser/test_share.py::test_a_result",
            "browser/test_throw.py::test_dice_are_thrown_by",
            "browser/test_turns.py::test_a_caption_names",
            "browser/test_turns.py::test_it_is_your_turn",
        ),
    ),
    "ear": Part(
        "Orca, and the voice of the terminal",
        tests=(
            "browser/test_blindfold.py",
            "browser/test_reader.py",
            "browser/test_own_voice.py::test_there_are_three",
        ),
    ),
    "site": Part(
        "the site without a server, its size and its loading time",
        (
            _TESTS,
            "python docs/static_site.py build/site",
            "python -m bench.browser site build/site",
        ),
        ("browser/test_docs_site.py", "browser/test_offline.py", "browser/test_site.py"),
    ),
    "kill": Part("200 games killed and resumed", ("python -m pytest tests/kill --kills 200",)),
    "kill-server": Part(
        "200 servers killed under load and restarted",
        ("python -m pytest tests/kill_server --server-kills 200", _TESTS),
        (
            "faults/test_database.py",
            "faults/test_disk.py",
            "faults/test_wire.py::test_listeners_who",
            "faults/test_workers.py",
        ),
    ),
    "forge": Part(
        "1,000,000 forged records for each verifier of dice",
        ("python -m pytest tests/engine/test_sealed_dice.py -k many_forged --forgeries 1000000",),
    ),
    "secrecy": Part(
        "200 games each of a server and a device, searched for the seeds",
        ("python -m pytest tests/web/test_sealed_secrecy.py --secret-games 200 --nightly secrecy",),
    ),
    "fuzz": Part(
        "100,000 inputs for parsers and requests, 40,000 damaged records",
        (
            "python -m pytest tests/fuzz/test_parsers.py --fuzz 9000",
            "python -m pytest tests/fuzz/test_server.py --fuzz 2000",
            "python -m pytest tests/fuzz/test_records.py --fuzz 40000",
        ),
    ),
    "lowest": Part(
        "the lowest versions that pyproject.toml allows",
        (
            "python -m uv venv --quiet --clear --python python build/lowest",
            f"{_INSTALL} build/lowest/bin/python --require-hashes -r requirements/test.txt",
            f"{_INSTALL} build/lowest/bin/python --require-hashes -r requirements/lowest.txt",
            f"build/lowest/bin/python {_EDGE}",
        ),
    ),
    "newest": Part(
        "today's newest release of each package",
        (
            "python -m uv venv --quiet --clear --python python build/newest",
            f"{_INSTALL} build/newest/bin/python -r requirements/test.in",
            f"build/newest/bin/python {_EDGE}",
        ),
    ),
    "wheel": Part("the package as a user installs it", ("tests/wheel.sh",)),
    "attack": Part("attacks, through nginx and bare", ("python -m bench.attack",)),
    "load": Part("1,000 tables and 3,000 listeners", ("python -m bench.load",)),
    "pages": Part(
        "loading times and layout shifts; the frames of a throw",
        ("python -m bench.browser pages", "python -m bench.browser throws"),
    ),
    "bench": Part(
        "the benchmarks, with their baselines", (_TESTS, "make bench"), ("test_bench.py",)
    ),
}

SMOKE = (
    "browser/test_blindfold.py::test_a_game_is_heard_as_it_is_kept[classic]",
    "browser/test_engines.py::test_a_game_is_played_to_its_end[firefox-classic-keys]",
    "browser/test_engines.py::test_a_game_is_played_to_its_end[webkit-classic-keys]",
    "browser/test_every_game.py::test_a_game_is_played_to_its_end[classic]",
    "browser/test_every_game.py::test_a_game_is_played_to_its_end[cargo]",
    "browser/test_every_game.py::test_a_preset_is_played_to_its_end[pub]",
    "browser/test_offline.py::test_dice_in_the_hand",
    "browser/test_offline.py::test_the_choice_that_was_due_waits",
    "browser/test_reader.py::test_a_short_game_against_a_computer",
    "web/test_servers.py::test_a_spare_server_takes_over_and_nobody_loses_a_move",
)
"""The tests of a part that `make check` runs, too."""


def one_in(number: int, values: Iterable[Any], *, drawn: bool = False) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, of which only one in `number` is not nightly.

    Of nightly values that are `drawn` at random, a third is tested, unless every case is.
    """
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else [one]), marks=pytest.mark.nightly("cases")
        )
        if place % number
        else one
        for place, one in enumerate(values)
        if EVERY or not drawn or not place % number or place % 3 == 1
    ]


def part_of(item: pytest.Item) -> str:
    """Return the part to which a test belongs; empty if `make check` runs it."""
    if (mark := item.get_closest_marker("nightly")) is not None:
        part: str = mark.args[0]
        assert part in PARTS, f"{item.nodeid}: there is no part {part!r}"
        return part
    name = item.nodeid.removeprefix("tests/")
    if name.startswith(SMOKE):
        return ""
    return next((part for part, it in PARTS.items() if name.startswith(it.tests)), "")


def run(name: str) -> bool:
    """Run a part, print one line about it, and return whether all of it passed."""
    part, begun = PARTS[name], time.monotonic()
    environment = {**os.environ, **dict(part.settings)}
    failed = ""
    for command in part.commands:
        words = [
            sys.executable if word == "python" else word.format(name=name)
            for word in command.split()
        ]
        code = subprocess.run(words, cwd=ROOT, env=environment).returncode
        if code:
            failed = f": {command} ended with {code}"
            break
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    seconds = time.monotonic() - begun
    line = f"{name}: {'failed' if failed else 'passed'} in {seconds:.0f} s at {commit}{failed}"
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.txt").write_text(f"{line}\n", encoding="utf-8")
    print(line, flush=True)
    return not failed


def main(names: list[str]) -> int:
    """Run these parts, or all; return the exit code."""
    if names == ["list"]:
        print("\n".join(f"{name}: {part.about}" for name, part in PARTS.items()))
        return 0
    if unknown := [name for name in names if name not in PARTS]:
        print(f"there is no part {unknown[0]!r}; parts: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    passed = [run(name) for name in names or PARTS]
    print("".join(path.read_text("utf-8") for path in sorted(RESULTS.glob("*.txt"))), end="")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
