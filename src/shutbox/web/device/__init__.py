"""The table on one device: the engine that a browser runs without a server."""
