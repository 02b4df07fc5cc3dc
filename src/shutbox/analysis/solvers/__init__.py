"""How a game is solved: which solver, the graph of a box, and its compiled form."""
