"""The storage of rooms: SQLite for one process, PostgreSQL for any number of them."""
