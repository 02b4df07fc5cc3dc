"""Every bound of the server, in one place; docs/limits.md reads them from here."""

LARGEST_BODY = 16_384
"""Bytes of a request, but for a record that is opened."""
BODY_SECONDS = 10.0
"""A body that takes longer to come is waited for no longer."""
MOST_FIELDS = 100
"""Fields of a form."""
MOST_KEYS = 14
"""Keys that one request shows."""
LARGEST_RECORD = 1_000_000
"""Bytes of a record that is opened to be looked at."""
SHORT_RECORD = 200
"""Events of a room, at most, whose records are quick."""
MOST_STEPS = 5_000
"""Events of such a record that are shown."""
REPLAY_SECONDS = 4.0
"""What takes longer to play again is shown as far as it came."""
LONGEST_TEXT = 400
"""Characters of a game's name, a format, a choice."""
LONGEST_ACTION = 64
"""Characters of the id of an action."""
LONGEST_KEY = 64
"""Characters of the key of a link."""
LONGEST_KIND = 80
"""Characters of a kind of computer player."""
LONGEST_ROLL = 200
"""Characters of dice that are typed."""
LARGEST_HEAD = 32_768
"""Bytes of a request before its body."""
LARGEST_REQUEST = LARGEST_HEAD + 2 * LARGEST_RECORD
"""Bytes of a request, those between the parts of its body too."""
REQUEST_SECONDS = 20.0
"""A request that takes longer to come is waited for no longer, nor is the first of a connection."""
LARGEST_FRAME = 4096
"""Bytes of what a page sends by its WebSocket, which nobody reads."""
WEBSOCKET_BYTES = 8_192
"""Bytes that may come by a WebSocket at once, pings too; after these it is cut off."""
WEBSOCKET_BYTES_A_SECOND = 100
"""How quickly it may send such an amount again."""

MOST_COVERS = 1_000
"""Covers of one throw, all tiles up, of a box that is played here."""
MOST_ROLLS = 20_000
"""Different rolls of one throw of a game that is solved here; of more, no estimate is made."""
WORKERS = 2
"""Processes that compute; one of them takes only what is quick."""
QUICK_WORK = 200_000
"""Positions times different rolls, at most, of what is quick."""
WORK_SECONDS = 10.0
"""What takes longer is given up, whatever was estimated."""
WORKER_MEMORY = 256 << 20
"""Bytes that a process that computes may have."""
MOST_WAITING = 4
"""Pieces of work that may wait of one address, or one table, besides the one that is done."""
ALL_WAITING = 200
"""Pieces of work that may wait of all together."""
HINT_SECONDS = 3.0
"""A hint that is estimated to take longer is not worked out."""
HINT_MEMORY = 64 << 20
"""Bytes that a solved game may be estimated to take, for hints and computer players."""

MOST_OWN_TABLES = 4
"""Tables of one's own that the first page looks at."""
KEPT_MESSAGES = 64
"""Messages of a room kept for those who come back; after a longer gap there is a whole picture."""
LOG_LINES = 60
"""Events that the log of a whole picture holds."""
MOST_LISTENERS = 200
"""Streams of those who watch one room."""
STREAMS_OF_SEAT = 16
"""Streams of who plays there, for each seat."""
STREAMS_OF_ADDRESS = 64
"""Streams of one address by which people watch, and as many by which they play."""
MOST_DEVICES = 200
"""Devices that hold one seat, or the watch link, at once; then the oldest is let go."""
MOST_ROOMS = 5_000
"""Rooms that are held in memory; a room nobody listens to makes way and is read again later."""
IDLE_SECONDS = 600.0
"""A room that nobody listens to, and nobody has asked for so long, is no longer held."""
FREE_EVENTS = 200
"""Events of computer players in a row, with no person between them, that take no time; after these
they are slow, so that nobody keeps the server busy by letting them play one another."""
ALIVE_SECONDS = 15.0
"""A stream on which nothing happens says so often that it is alive."""
MOST_TOGETHER = 256
"""Actions that are committed together."""
SEND_SECONDS = 20.0
"""A listener that takes nothing for so long is cut off."""

ROOMS_OF_ADDRESS = "60/hour"
"""Rooms that one address may open."""
OPENINGS_OF_ADDRESS = "60/minute"
"""How often it may try to: what is wrong with a game is worked out, and said."""
ACTIONS_OF_ADDRESS = "1200/minute"
"""What one address may send, whatever it is, and the WebSockets it may begin."""
READS_OF_ADDRESS = "3000/minute"
"""What one address may look at, but for the files of pages."""
ACTIONS_OF_SEAT = "240/minute"
"""What one seat may do."""
CHANGES_OF_SEAT = "30/minute"
"""What one seat may do about seats, links and games."""
HINTS_OF_ADDRESS = "60/minute"
"""Hints and records, which cost work, for one address."""
KEYS_OF_ADDRESS = "60/minute"
"""Keys that open nothing, of one address; then it is told so no more."""

AWAY_SECONDS = 120
"""Who is due and has done nothing for so long may be treated like somebody who has left."""
MOST_EVENTS = 10_000
"""Events of one room; then it is full, and another is opened."""
