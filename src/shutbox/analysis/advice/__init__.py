"""What to do here, and why: ranked choices, hints, the coach."""
