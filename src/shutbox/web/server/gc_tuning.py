"""Short pauses: the collector looks at what is new, and seldom at what has been there for long.

A full collection looks at every object of every room in memory, and meanwhile nobody is answered:
with 200 tables it took up to 0.4 s. What has outlived one collection here is set aside; once in a
long while everything is looked at again.
"""

import asyncio
import gc
from itertools import count

_SECONDS = 0.1
"""With 300 actions a second a pause took 40 ms when there was one a second, and takes 4 ms."""
_EVERYTHING = 36_000
"""After so many of them, everything is looked at."""
_YOUNG, _MIDDLE, _NEVER = 50_000, 20, 1_000_000_000


async def keep_pauses_short() -> None:
    """Until it is cancelled."""
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    for times in count(1):
        if times % _EVERYTHING == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        await asyncio.sleep(_SECONDS)
