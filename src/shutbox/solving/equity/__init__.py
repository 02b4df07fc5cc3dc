"""Each seat's chances at any point of a match, and how fair a round is."""
