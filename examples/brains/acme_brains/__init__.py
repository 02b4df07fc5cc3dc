"""Brains, a dice game for shutbox."""
