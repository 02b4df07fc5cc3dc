"""The command line: playing, asking, and the user's own games, a file for each command."""
