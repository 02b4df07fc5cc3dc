"""The engine: what every game, player and front end is made of."""
