"""How fast it is, as ratios: these machines are noisy, and a ratio in one run is not."""

import time
from collections.abc import Callable

once = False
"""Whether nothing is timed twice: to see that it runs, not how fast."""


def times(usual: int) -> int:
    """How often something is timed of which usually the median of so many counts."""
    return 1 if once else usual


def seconds(ask: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start
