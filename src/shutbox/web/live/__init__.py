"""Rooms while people are at them: in memory, listened to, and played on."""
