"""Games that are killed, and the order in which a game writes and speaks."""
