"""Work that takes long to compute, and the limits on its cost."""
