"""Learners of a turn, compared by their exact regret: `python -m learning.table runs.jsonl`."""
