"""Monte Carlo simulation: many random turns."""
