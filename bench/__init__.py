"""Benchmarks, reported as ratios: times vary on noisy machines, but a ratio within one run does
not.
"""

import json
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import shutbox

figures: list[dict[str, object]] = []
"""The figures printed so far."""
rounds: int | None = None
"""The most times anything is timed, or None for no limit. 1 only checks that it runs."""


def times(usual: int) -> int:
    """Return how often to time something that is timed `usual` times without a limit."""
    return min(usual, rounds or usual)


def seconds(ask: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def share(times: Sequence[float], part: float) -> float:
    """Return the quantile of the times: the time that this part of them does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def note(
    name: str, value: float, unit: str, baseline: float | None = None, ratio: float | None = None
) -> None:
    """Record a printed figure. Give the ratio if it is not value / baseline."""
    if ratio is None and baseline:
        ratio = value / baseline
    figure = {"name": name, "value": value, "unit": unit, "baseline": baseline, "ratio": ratio}
    figures.append(figure)


def keep(folder: Path) -> Path:
    """Write the recorded figures into a new file, and return its path."""
    describe = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    asked = subprocess.run(describe, capture_output=True, text=True, check=False)
    now = datetime.now(UTC)
    run = {
        "at": now.isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "shutbox": shutbox.__version__,
        "commit": asked.stdout.strip(),
        "figures": figures,
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"figures-{now:%Y%m%dT%H%M%SZ}.json"
    file.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    return file
