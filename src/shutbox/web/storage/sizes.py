"""How large a database is."""

from pathlib import Path

from sqlalchemy import text

from shutbox.web.storage.engine import Database


def sizes(database: Database) -> dict[str, int]:
    """Its bytes by part: `data`, and of SQLite `wal`, what is not there yet. Takes a moment."""
    if database.is_shared:
        with database.reader.connect() as connection:
            query = text("SELECT pg_database_size(current_database())")
            return {"data": int(connection.scalar(query) or 0)}
    path = Path(database.url.database or "")
    wal = path.with_name(f"{path.name}-wal")
    return {
        "data": path.stat().st_size,
        "wal": wal.stat().st_size if wal.exists() else 0,
    }
