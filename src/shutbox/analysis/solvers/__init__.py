"""How a game is solved, and what that costs."""
