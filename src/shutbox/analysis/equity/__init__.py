"""What a seat's place in a match is worth, and how fair a round is."""
