"""Code that only games of Cargo need: their sheet of paper."""
