"""Reviews of recorded games, event by event: the luck of throws and the cost of choices."""
