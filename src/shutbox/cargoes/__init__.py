"""What only games of Cargo can: their sheet of paper."""
