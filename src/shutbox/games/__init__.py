"""The games: their families, the catalogue, and a folder for each family."""
