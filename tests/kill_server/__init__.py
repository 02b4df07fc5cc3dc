"""Tests that kill a server under load, and check the order in which it saves and answers."""
