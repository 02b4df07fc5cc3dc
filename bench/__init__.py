"""How fast it is, as ratios: these machines are noisy, and a ratio in one run is not."""
