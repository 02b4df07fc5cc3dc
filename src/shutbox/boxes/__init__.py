"""Code that only boxes need: their graph, their float solver, their books and their sheet."""
