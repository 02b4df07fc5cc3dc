"""Every bound of the server, in one place; docs/limits.md reads them from here."""

LARGEST_BODY = 16_384  # bytes of a request, but for a record that is opened
BODY_SECONDS = 10.0  # a body that takes longer to come is waited for no longer
MOST_FIELDS = 100  # fields of a form
MOST_KEYS = 14  # keys that one request shows
LARGEST_RECORD = 1_000_000  # bytes of a record that is opened to be looked at
MOST_STEPS = 5_000  # events of such a record that are shown
REPLAY_SECONDS = 4.0  # what takes longer to play again is shown as far as it came
SHORT_RECORD = 200  # events of a room, at most, whose records are quick
LONGEST_TEXT = 400  # characters of a game's name, a format, a choice
LONGEST_ACTION = 64  # characters of the id of an action
LONGEST_KEY = 64  # characters of the key of a link
LONGEST_KIND = 80  # characters of a kind of computer player
LONGEST_ROLL = 200  # characters of dice that are typed
LARGEST_HEAD = 32_768  # bytes of a request before its body
LARGEST_REQUEST = 16 << 20  # bytes of all of it, also of what is refused already
REQUEST_SECONDS = 20.0  # a request that takes longer to come, or to begin, is waited for no longer
LARGEST_FRAME = 4096  # bytes of what a page sends by its WebSocket, which nobody reads
WEBSOCKET_BYTES = 8_192  # bytes that may come by a WebSocket at once; then it is cut off
WEBSOCKET_BYTES_A_SECOND = 100  # how quickly it may send such an amount again

MOST_COVERS = 1_000  # covers of one throw, all tiles up, of a box that is played here
MOST_ROLLS = 20_000  # different rolls of a game that is solved here; of more, it is not estimated
WORKERS = 3  # processes that compute; one takes only what is quick, another no records
QUICK_WORK = 200_000  # positions times different rolls, at most, of what is quick
QUICK_SECONDS = 0.3  # or what is estimated to take no longer, where that is known at once
WORK_SECONDS = 10.0  # what takes longer is given up, whatever was estimated
WORKER_MEMORY = 256 << 20  # bytes that a process that computes may have
MOST_WAITING = 4  # pieces of work that may wait of one address, or table, besides what is done
ALL_WAITING = 200  # pieces of work that may wait of all together, and as many that are quick
JUDGE_SECONDS = 2.0  # a coach who takes longer says nothing of a choice
HINT_SECONDS = 3.0  # a hint that is estimated to take longer is not worked out
HINT_MEMORY = 64 << 20  # bytes that a solved game is estimated to take, for hints and computers
MOST_SOLVED = 16  # games that one process keeps solved
SOLVED_MEMORY = 2 * HINT_MEMORY  # bytes that these may be estimated to take

MOST_OWN_TABLES = 4  # tables of one's own that the first page looks at
KEPT_MESSAGES = 64  # messages of a room for those who come back; after more, a whole picture
SHEET_ROUNDS = 100  # rounds that a score sheet shows, the last ones
LOG_LINES = 60  # events that the log of a whole picture holds
MOST_LISTENERS = 200  # streams of those who watch one room
STREAMS_OF_SEAT = 16  # streams of who plays there, for each seat
STREAMS_OF_ADDRESS = 64  # streams of one address that watches, and as many by which it plays
MOST_DEVICES = 200  # devices at once that hold one seat, or the watch link; the oldest is let go
MOST_ROOMS = 5_000  # rooms in memory; one that nobody listens to makes way, and is read again later
IDLE_SECONDS = 600.0  # a room that nobody listens to, nor asks for so long, is held no longer
FREE_EVENTS = 200  # events in a row of computer players; then they are slow, to spare the server
ALIVE_SECONDS = 15.0  # a stream on which nothing happens says so often that it is alive
MOST_TOGETHER = 256  # actions that are committed together
SEND_SECONDS = 20.0  # a listener that takes nothing for so long is cut off

ROOMS_OF_ADDRESS = "60/hour"  # rooms that one address may open
OPENINGS_OF_ADDRESS = "60/minute"  # how often it may try to, which takes work
ACTIONS_OF_ADDRESS = "1200/minute"  # what one address may send, and WebSockets that it begins
READS_OF_ADDRESS = "3000/minute"  # what one address may look at, but for the files of pages
ACTIONS_OF_SEAT = "240/minute"  # what one seat may do
CHANGES_OF_SEAT = "30/minute"  # what one seat may do about seats, links and games
HINTS_OF_ADDRESS = "60/minute"  # hints and records, which cost work, for one address
KEYS_OF_ADDRESS = "60/minute"  # keys that open nothing, of one address; then it is told so no more

AWAY_SECONDS = 120  # who is due and does nothing for so long may be treated as having left
MOST_EVENTS = 10_000  # events of one room; then it is full, and another is opened
