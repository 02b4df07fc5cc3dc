"""Monte Carlo simulation: many random turns, optionally spread over worker processes."""
