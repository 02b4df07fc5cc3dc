"""The host's tools: reports on the database, and changes to it while servers run."""
