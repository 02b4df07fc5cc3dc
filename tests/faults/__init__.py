"""Faults of the machine while people play: workers, database, clock, disk, connections."""
