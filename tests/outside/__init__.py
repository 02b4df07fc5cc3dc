"""Texts, keys, links and files as other programs and people leave them."""
