"""What positions are worth, and what follows from it: odds, advice, fair rules, ways to play."""
