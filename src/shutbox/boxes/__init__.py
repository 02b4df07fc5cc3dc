"""What only boxes can: their graph, their floats, their books and their sheet of paper."""
