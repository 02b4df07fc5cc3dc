"""The doors to an action: by the API, by a form without script, and on a device without server.

`table.py` reads and runs the door table, `worlds.py` makes the tables at which its callers meet,
and `api.py`, `form.py` and `device.py` are the doors: whatever they know of addresses, statuses and
words on the wire stands there and nowhere else.
"""
