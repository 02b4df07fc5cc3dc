"""Rooms in use: held in memory, played in, and streamed to listeners."""
