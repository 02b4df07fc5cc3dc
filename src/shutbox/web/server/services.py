"""The state that all handlers of one server process share."""

import asyncio
from time import monotonic

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine import messages
from shutbox.engine.errors import NotKept
from shutbox.web.actions.context import Services, Site
from shutbox.web.actions.rates import Rates
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import DamagedStore, NoAnswer
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.repository import Rooms
from shutbox.web.push import SERVICES, TurnNotices, WebPush, new_key
from shutbox.web.rooms.access import Keyring
from shutbox.web.server.settings import Settings
from shutbox.web.storage.devices import DeviceLinks
from shutbox.web.storage.engine import Database, create_tables
from shutbox.web.storage.group_commit import GroupCommit, probe
from shutbox.web.storage.log import StoredLog, secret_of, unusable
from shutbox.web.storage.schema import PUSH
from shutbox.web.tries import Days

_PROBED_SECONDS = 5.0  # a commit so recent makes a probe unnecessary
_PATIENCE = 3.0  # seconds that the database may take to answer, or to store a probe


class Server(Services):
    """The services of a server process. Creating them creates the tables of an empty database.

    Raises NotKept and DamagedStore.
    """

    pool: Pool

    def __init__(self, settings: Settings, database: Database) -> None:
        site = Site(settings.url, settings.origin, settings.origins)
        super().__init__(site, Pool(), Rates(settings.unlimited))
        self.settings, self.phrases = settings, settings.phrases
        messages.load_all()  # each visitor has a language
        self.database = database
        try:
            create_tables(database.writer)
            keyring = Keyring(bytes.fromhex(secret_of(database)))
        except (SQLAlchemyError, DamagedStore, ValueError) as error:
            raise unusable(error) from None
        self.writer = GroupCommit(database)
        self.log = StoredLog(database, self.writer)
        self.rooms = Rooms(
            self.log,
            keyring,
            server=settings.name,
            alone=not database.is_shared,
        )
        self.days = Days(self.rooms, self.pool, self.log)
        self.links = DeviceLinks(self.log)
        self.push = self._push()
        self.notices = TurnNotices(self.push, self.log)
        self.rooms.on_turn = self.notices.announce
        self.bots = BotRunner(self.rooms, self.pool, self.rates.stored)

    def _push(self) -> WebPush:
        services = self.settings.push
        contact = self.site.origin if self.site.secure else "mailto:host@localhost"
        try:
            key = "" if services == ("off",) else secret_of(self.database, PUSH, new_key)
            return WebPush(key, contact, (*SERVICES, *services))
        except ImportError:  # the extra `push` is not installed
            return WebPush("", contact)

    async def unready(self) -> str:
        """Return the reason why the server is not ready, or "" if it is."""
        if self.draining or self.closing:
            return "closing"
        why = "no database"
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.log.rows(text("SELECT 1"))
            why = "nothing can be kept"
            if monotonic() - self.writer.committed_at > _PROBED_SECONDS:
                async with asyncio.timeout(_PATIENCE):
                    await self.log.write(probe)
        except (NoAnswer, NotKept, TimeoutError):
            return why
        return ""

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
