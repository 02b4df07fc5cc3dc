"""A room as the replay of its events; no network, no disk, no clock."""
