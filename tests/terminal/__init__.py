"""The terminal, tested as a person drives it: a real pseudo-terminal, typed lines, read lines."""
