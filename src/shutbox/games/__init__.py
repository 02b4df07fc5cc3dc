"""The games: a folder for each family (boxes, Cargo, the dice tray), and their catalogue."""
