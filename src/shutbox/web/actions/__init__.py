"""What can be done in a room, for the pages and for programs alike."""
