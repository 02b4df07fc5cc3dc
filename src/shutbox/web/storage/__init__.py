"""Where rooms are kept: SQLite in one process, PostgreSQL for as many as are wanted."""
