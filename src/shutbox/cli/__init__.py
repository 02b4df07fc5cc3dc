"""The command line: playing, asking, and the user's own games, a row of a table for each."""
