"""Rooms while people are at them: in memory, listened to, and gone on with."""
