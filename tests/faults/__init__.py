"""Machine faults during play: workers, database, clock, disk, connections."""
