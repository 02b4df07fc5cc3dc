"""Code that only boxes need: their graph, their solvers and their sheet."""
