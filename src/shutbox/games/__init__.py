"""The games: their families, the catalogue of them all, and a folder for each."""
