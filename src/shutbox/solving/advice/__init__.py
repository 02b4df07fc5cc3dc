"""Advice on choices, with reasons: ranked choices, hints, the coach."""
