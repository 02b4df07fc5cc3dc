"""The command line: `shutbox play`, `games`, `rules`, `legal`."""
