"""One process of the server: settings, wiring, start and stop, health."""
