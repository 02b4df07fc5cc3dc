"""What a game that was played was worth, event by event: luck, and what choices cost."""
