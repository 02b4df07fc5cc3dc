"""A server that is killed under load, and the order in which it writes and answers."""
