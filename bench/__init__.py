"""How fast it is, as ratios: these machines are noisy, and a ratio in one run is not."""

import json
import platform
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import shutbox

figures: list[dict[str, object]] = []
"""What has been printed so far."""
rounds: int | None = None
"""How often anything is timed at most; 1: to see that it runs, not how fast."""


def times(usual: int) -> int:
    """How often something is timed of which usually the median of so many counts."""
    return min(usual, rounds or usual)


def seconds(ask: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def note(
    name: str, value: float, unit: str, baseline: float | None = None, ratio: float | None = None
) -> None:
    """Note a figure that is printed, with the ratio if that is no plain quotient of the two."""
    if ratio is None and baseline:
        ratio = value / baseline
    figure = {"name": name, "value": value, "unit": unit, "baseline": baseline, "ratio": ratio}
    figures.append(figure)


def keep(folder: Path) -> Path:
    """Write what was noted into a file of its own; where it is."""
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
