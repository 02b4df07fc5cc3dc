"""Tests that kill games, and check the order in which a game saves and speaks."""
