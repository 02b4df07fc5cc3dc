"""What takes long to compute, and what it may cost."""
