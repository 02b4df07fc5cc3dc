"""The table on one device: what a browser runs by itself, without a server."""
