"""Strategies that a person can follow, and what each of them costs."""
