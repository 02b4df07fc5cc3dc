"""The command line: `commands` has a row for each command, and names the module that runs it."""
