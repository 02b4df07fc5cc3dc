"""One process of the server: all that its handlers share."""

import asyncio
from time import monotonic
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from shutbox.lru import LruCache
from shutbox.web.actions import my_games, positions, practice, reviews
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import DamagedStore
from shutbox.web.http import packed
from shutbox.web.http.context import HttpServices, Site
from shutbox.web.http.errors import encode
from shutbox.web.http.metrics import Metrics, Numbers, resident_memory
from shutbox.web.http.rate_limits import Rates
from shutbox.web.limits import KEPT_REVIEWS, KEPT_TURNS
from shutbox.web.live import days
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.bot_runner import BotRunner
from shutbox.web.live.days import Days
from shutbox.web.live.repository import Rooms
from shutbox.web.logs import log
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.server.settings import Settings
from shutbox.web.storage.days import StoredDays
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import GroupCommit, probe
from shutbox.web.storage.handovers import DeviceLinks
from shutbox.web.storage.host import last_played, news
from shutbox.web.storage.log import Archive, StoredLog, unusable
from shutbox.web.storage.migrate import migrate

WORK = (days, positions, practice, reviews, my_games, packed)
"""Where the work comes from that workers do."""
_PROBED_SECONDS = 5.0  # what was kept so lately can be kept now


class Server(HttpServices):
    """The rooms, and what is counted. Opens the database, and brings it to its newest revision.

    Raises NotKept and InUse.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        super().__init__(writes=lambda: self.writer.unkept)
        self.settings = settings
        self.site = Site(settings.url, settings.origin, settings.secure, settings.cookie)
        self.database = database
        self._probe: asyncio.Task[None] | None = None
        self.looks: asyncio.Task[str] | None = None
        """Looks whether it can serve, for everybody who asks meanwhile."""
        self.metrics = Metrics()
        self.pool = Pool(worked=self.metrics.worked.observe, imports=WORK)
        self.rates = Rates(settings.rates, settings.unlimited)
        try:
            migrate(database.writer)
            archive = Archive(database)
            # First what was told before, and then what it was about.
            notices, self.bans.known = news(database, 0)
            self.last_played = last_played(database)
            """When something happened last before this server, by the clocks of then."""
            keyring = Keyring(archive.secret())
        except (SQLAlchemyError, DamagedStore, UnicodeDecodeError) as error:
            raise unusable(error) from None
        self.heard = {id for id, _, _ in notices}
        """The notices of the host that were acted on."""
        self.writer = GroupCommit(database, self.metrics)
        self.log = StoredLog(archive, self.writer.keep)
        self.rooms = Rooms(self.log, keyring, encode, log, played=self.metrics.events.inc)
        self.days = Days(self.rooms, self.pool, StoredDays(self.log), log)
        self.links = DeviceLinks(self.log)
        self.advisor = Advisor(self.pool)
        self.reviews = LruCache[str, Any](KEPT_REVIEWS)
        self.turns = LruCache[str, Any](KEPT_TURNS)
        self.bots = BotRunner(
            self.rooms, self.pool, log, count=self.rates.count_day, turn=self.queue.turn
        )
        self.rooms.bots = self.bots.start
        self.sizes = database.sizes()
        """The bytes of the database, by part, as somebody has looked last."""
        self.metrics.add(self._numbers)

    def _numbers(self) -> Numbers:
        pids = self.pool.pids
        return {
            "rooms": len(self.rooms.lives),
            "damaged_rooms": len(self.log.damaged),
            "commits_waiting": self.writer.waiting,
            "work_waiting": self.pool.waiting,
            "workers": len(pids),
            "worker_restarts": self.pool.restarts,
            "workers_resident_memory_bytes": resident_memory(pids),
            "database_bytes": self.sizes,
        }

    async def check_keeps(self) -> None:
        """Raise NotKept while nothing can be kept: the disk is full, or the database locked."""
        if monotonic() - self.writer.kept_at > _PROBED_SECONDS:
            # One at a time, however often somebody asks.
            if self._probe is None or self._probe.done():
                self._probe = asyncio.create_task(self.log.write(probe()))
            await asyncio.shield(self._probe)

    async def close(self) -> None:
        """Let everybody go, keep what waits, and let go of the database."""
        self.close_streams()
        self.pool.close()
        await self.bots.close()
        await self.days.close()
        self.log.close()
        self.release()

    def release(self) -> None:
        """Keep what waits, and let go of the database."""
        self.writer.close()
        self.database.close()
