"""The state that all handlers of one server process share."""

import asyncio

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine import messages
from shutbox.web.actions.context import Services, Site
from shutbox.web.actions.rates import Rates
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import NoAnswer
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.repository import RoomRepository
from shutbox.web.push import SERVICES, TurnNotices, WebPush, new_key
from shutbox.web.rooms.access import Keyring
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database, create_tables
from shutbox.web.storage.devices import DeviceLinks
from shutbox.web.storage.group_commit import GroupCommit
from shutbox.web.storage.log import StoredLog, database_unusable, secret_of
from shutbox.web.storage.schema import PUSH
from shutbox.web.tries import Days

_PATIENCE = 3.0  # seconds that the database may take to answer


class Server(Services):
    """The services of a server process. Creating them creates the tables of an empty database.

    Raises NotKept.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        site = Site(settings.url, settings.origin)
        super().__init__(site, Pool(), Rates(settings.unlimited))
        self.settings, self.phrases = settings, settings.phrases
        messages.load_all()  # each visitor has a language
        self.database = database
        try:
            create_tables(database.writer)
            keyring = Keyring(bytes.fromhex(secret_of(database)))
        except (SQLAlchemyError, ValueError) as error:
            raise database_unusable(error) from None
        self.writer = GroupCommit(database)
        self.log = StoredLog(database, self.writer)
        is_only, name = not database.is_shared, settings.name
        self.rooms = RoomRepository(self.log, keyring, server=name, serves_all=is_only)
        self.days = Days(self.rooms, self.pool, self.log)
        self.links = DeviceLinks(self.log)
        self.push = self._push()
        self.notices = TurnNotices(self.push, self.log)
        self.rooms.on_turn = self.notices.announce
        self.bots = BotRunner(self.rooms, self.pool, self.rates.count_stored)

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
        if self.closing:
            return "closing"
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.log.rows(text("SELECT 1"))
        except (NoAnswer, TimeoutError):
            return "no database"
        return ""

    async def close(self) -> None:
        """End all streams and work, write the queued batches, and close the database."""
        self.close_streams()
        self.pool.close()
        await self.notices.close()
        await self.bots.close()
        await self.days.close()
        self.log.stop_readers()
        self.release()

    def release(self) -> None:
        """Write the queued batches and close the database, without ending streams or work."""
        self.writer.close()
        self.database.close()
