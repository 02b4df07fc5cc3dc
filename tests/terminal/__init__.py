"""Tests of the terminal as a person uses it: a real pseudo-terminal, typed lines, read lines."""
