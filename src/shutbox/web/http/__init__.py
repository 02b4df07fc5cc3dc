"""Requests: who asks, within which limits, and how a refusal is answered."""
