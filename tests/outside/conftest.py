"""The fixtures of a server and its clients, for the doors that it has."""

from web.conftest import ann, person, server, settings, workers  # noqa: F401
