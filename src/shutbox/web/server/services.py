"""The state that all handlers of one server process share."""

import asyncio
from time import monotonic
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from shutbox import messages
from shutbox.lru import LruCache
from shutbox.web.actions import my_games, positions, practice, reviews
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import DamagedStore
from shutbox.web.http import packed
from shutbox.web.http.answers import encode
from shutbox.web.http.context import HttpServices, Site
from shutbox.web.http.metrics import Metrics, Numbers, resident_memory
from shutbox.web.http.rate_limits import Rates
from shutbox.web.limits import CACHED_REVIEWS, CACHED_TURNS
from shutbox.web.live import days
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.bot_runner import BotRunner
from shutbox.web.live.days import Days
from shutbox.web.live.repository import Rooms
from shutbox.web.live.sealing import Sealing
from shutbox.web.live.turn_notices import TurnNotices
from shutbox.web.logs import log
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.server.push import SERVICES, WebPush, new_key
from shutbox.web.server.settings import Settings
from shutbox.web.storage.days import StoredDays
from shutbox.web.storage.devices import DeviceLinks, StoredSubscriptions
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import GroupCommit, probe
from shutbox.web.storage.host import last_played, news
from shutbox.web.storage.log import Archive, StoredLog, unusable
from shutbox.web.storage.migrate import migrate

WORK = (days, positions, practice, reviews, my_games, packed)
"""The modules whose functions workers run."""
_PROBED_SECONDS = 5.0  # a commit so recent makes a probe unnecessary


class Server(HttpServices):
    """The services of one process. Its constructor migrates the database to the newest revision.

    Raises NotKept, DamagedStore, and the errors of `Rates`.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        super().__init__(writes=lambda: self.writer.unwritten)
        self.settings, self.phrases = settings, settings.phrases
        messages.load_all()  # now, since a newer release may replace the files
        self.site = Site(
            *(settings.url, settings.origin, settings.secure, settings.cookie),
            settings.origins,
        )
        self.database = database
        self._probe: asyncio.Task[None] | None = None
        self.looks: asyncio.Task[str] | None = None
        """The current or last readiness check, shared by all requests for it."""
        self.metrics = Metrics()
        self.pool = Pool(worked=self.metrics.worked.observe, imports=WORK)
        self.rates = Rates(settings.rates, settings.unlimited)
        try:
            migrate(database.writer)
            archive = Archive(database)
            # Notices before data: a change between the two reads is then heard as a new notice.
            notices, self.bans.known = news(database, 0)
            self.last_played = last_played(database)
            """The time of the last event before this server started; 0 if there is none."""
            keyring = Keyring(archive.secret())
        except (SQLAlchemyError, DamagedStore, UnicodeDecodeError) as error:
            raise unusable(error) from None
        self.heard = {id for id, _, _ in notices}
        """The ids of the host's notices already handled."""
        self.writer = GroupCommit(database, self.metrics.committed, self.metrics.not_committed)
        self.log = StoredLog(archive, self.writer.store)
        self.newest_dice = self.log.newest_dice
        played = self.metrics.events.inc
        self.rooms = Rooms(self.log, keyring, encode, log, seed_of=self.log.seed_of, played=played)
        self.days = Days(self.rooms, self.pool, StoredDays(self.log), log)
        self.links = DeviceLinks(self.log, self.rooms.access.phrase_hash)
        self.push = self._push(archive)
        self.subscriptions = StoredSubscriptions(self.log)
        self.notices = TurnNotices(self.push, self.subscriptions, log)
        self.rooms.turn_began = self.notices.announce
        self.advisor = Advisor(self.pool)
        self.reviews = LruCache[str, Any](CACHED_REVIEWS)
        self.turns = LruCache[str, Any](CACHED_TURNS)
        self.sealing = Sealing(self.rooms)
        self.rooms.shown = self.sealing.note
        self.bots = BotRunner(
            *(self.rooms, self.pool, log, self.sealing),
            count=self.rates.count_day,
            turn=self.queue.turn,
        )
        self.rooms.bots = self.bots.start
        self.sizes = database.sizes()
        """The last measured size of the database in bytes, by part."""
        self.metrics.add(self._numbers)

    def _push(self, archive: Archive) -> WebPush:
        services = self.settings.push
        contact = self.site.origin if self.site.secure else "mailto:host@localhost"
        try:
            key = "" if services == ("off",) else archive.push_key(new_key)
        except ImportError:  # the extra `push` is not installed
            key = ""
        return WebPush(key, contact, (*SERVICES, *services), self.metrics.pushed)

    def _numbers(self) -> Numbers:
        pids = self.pool.pids
        return {
            "rooms": len(self.rooms.loaded_rooms),
            "damaged_rooms": len(self.log.damaged),
            "commits_waiting": self.writer.waiting,
            "work_waiting": self.pool.waiting,
            "workers": len(pids),
            "worker_restarts": self.pool.restarts,
            "workers_resident_memory_bytes": resident_memory(pids),
            "database_bytes": self.sizes,
        }

    async def check_keeps(self) -> None:
        """Write a probe, unless a commit was just made. Raises NotKept if writes fail."""
        if monotonic() - self.writer.committed_at > _PROBED_SECONDS:
            # One probe at a time, shared by all callers.
            if self._probe is None or self._probe.done():
                self._probe = asyncio.create_task(self.log.write(probe()))
            await asyncio.shield(self._probe)

    async def close(self) -> None:
        """End all streams and work, write the queued batches, and close the database."""
        self.close_streams()
        self.pool.close()
        await self.notices.close()
        await self.bots.close()
        await self.days.close()
        self.log.close()
        self.release()

    def release(self) -> None:
        """Write the queued batches and close the database, without ending streams or work."""
        self.writer.close()
        self.database.close()
