"""Opening the database of a server, which may be running."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from shutbox.web.errors import DamagedStore, NoAnswer
from shutbox.web.storage.engine import Database
from shutbox.web.storage.migrate import check_revision
from shutbox.web.storage.reader import Archive, unusable


@contextmanager
def beside(url: str) -> Iterator[Archive]:
    """What is kept there, as long as it is looked at. Nothing is made, nor brought up to date.

    Raises NotKept where that is no database of this release, and DamagedStore.
    """
    database = Database(url, beside=True)
    try:
        check_revision(database.reader)
        yield Archive(database)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise unusable(error) from None
    except NoAnswer as error:
        raise unusable(error.cause) from None
    except DamagedStore as error:
        # What was read whole, and is not what was stored, says so itself.
        raise unusable(error) if error.__cause__ else error from None
    finally:
        database.close()
