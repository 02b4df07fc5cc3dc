"""HTTP requests: callers, limits, and the answers to refusals."""
