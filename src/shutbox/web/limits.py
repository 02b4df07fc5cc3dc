"""The limits of the server, in one place.

All addresses of one `network` share the limits that are set for an address.
"""

from contextlib import suppress
from ipaddress import IPv6Address

LARGEST_BODY = 16_384  # bytes of a request body, except an uploaded record
MOST_FIELDS = 100  # fields of a form
MOST_KEYS = 14  # keys in one request
LARGEST_RECORD = 1_000_000  # bytes of an uploaded record
MOST_STEPS = 5_000  # events of such a record that are shown
REPLAY_SECONDS = 4.0  # time to replay a record; after that, the rest is not shown
MOST_REVIEWED = 1_000  # events of a game that is reviewed
CACHED_REVIEWS = 64  # reviews that a process caches
SHORT_LOG = 500  # events of a room that is read before longer ones
SHORT_RECORD = 200  # events of a room whose records are quick work
LONGEST_TEXT = 400  # characters of a game's name, a format, a choice
LONGEST_CHALLENGE = 4_000  # characters of a challenge in its link
LONGEST_ACTION = 64  # characters of the id of an action
LONGEST_KEY = 2_000  # characters of a link, or its key
LONGEST_KIND = 80  # characters of a kind of computer player
LONGEST_ROLL = 200  # characters of typed dice
LARGEST_HEAD = 32_768  # bytes of a request before its body
LARGEST_REQUEST = 16 << 20  # bytes of a whole request, including one already refused
REQUEST_SECONDS = 20.0  # time to receive a whole request, or the first byte of a connection
LARGEST_FRAME = 4096  # bytes of a WebSocket message from a page; the server ignores its content
WEBSOCKET_BYTES = 8_192  # bytes at once from one WebSocket; beyond that, it is cut off
WEBSOCKET_BYTES_A_SECOND = 100  # how much more it can send each second

MOST_COVERS = 1_000  # covers of one throw with all tiles up, for a box played here
MOST_ROLLS = 20_000  # different rolls of a game solved here; with more, its cost is not estimated
WORKERS = 3  # worker processes; one takes only quick work
QUICK_SECONDS = 0.3  # estimated time up to which work counts as quick, if the estimate is instant
WORK_SECONDS = 10.0  # time after which any work is aborted
WORKER_MEMORY = 256 << 20  # bytes of memory of a worker process
WAIT_SECONDS = 4.0  # time to wait for a worker to start or to be free; then the work is refused
MOST_WAITING = 2  # queued pieces of work of one address or table, besides the one in progress
ALL_WAITING = 200  # queued pieces of work of all addresses, for each kind of work
JUDGE_SECONDS = 2.0  # time for a coach to judge a choice; after that, it says nothing
HINT_SECONDS = 3.0  # estimated time up to which a hint is computed
HINT_MEMORY = 64 << 20  # estimated bytes of a solved game, for hints and computer players
HINT_CHOICES = 40  # choices of a hint that are listed with numbers, best first
VERDICT_EVENTS = 1_000  # events of a game that is judged at its end
MOST_ESTIMATES = 1_000  # games for which a process caches the estimated cost of solving
MOST_SOLVED = 16  # solved games that a worker caches
SOLVED_MEMORY = 2 * HINT_MEMORY  # their estimated bytes

HOME_SECONDS = 1.0  # time that the first page waits for the day's box, which may have to be stored
MOST_OWN_TABLES = 4  # tables of the visitor on the first page
MOST_LISTED_TABLES = 40  # tables in the visitor's list, newest first
HANDOVER_SECONDS = 900.0  # lifetime of a link that shares this list with another device
MOST_FORGOTTEN = 1_000  # newest tables of a visitor that are deleted with the visitor's data
CACHED_TURNS = 2_000  # tables whose turns a process caches for the visitor's list
CACHED_MESSAGES = 16  # messages of a room for clients that reconnect; further back: a snapshot
SHEET_ROUNDS = 100  # rounds on a score sheet, the last ones
LOG_LINES = 60  # events in the log of a snapshot
MOST_LISTENERS = 200  # streams of spectators of one room
STREAMS_OF_SEAT = 16  # streams of the player at each seat
MOST_DEVICES = 200  # devices with access to one seat or the watch link; the oldest is removed
MOST_ROOMS = 5_000  # rooms in memory; beyond that, rooms without listeners are dropped
IDLE_SECONDS = 600.0  # time without listeners or requests after which a room is dropped
COMPUTER_PAUSE = 0.005  # seconds between the moves of computer players, of all tables together
ALIVE_SECONDS = 15.0  # time after which a silent stream sends a sign of life
MOST_TOGETHER = 256  # actions in one commit
UNREAD_BYTES = 131_072  # bytes not read by a client, in the system's buffer; Linux has twice that
SEND_SECONDS = 20.0  # time after which a listener that reads nothing is cut off

ROOMS_OF_ADDRESS = "60/hour"  # tables that one address opens
ROOMS_OF_ADDRESS_A_DAY = "2000/day"  # a second rate for tables, which are stored permanently
BYTES_OF_ADDRESS_A_DAY = "200000000/day"  # bytes stored for one address
OPENINGS_OF_ADDRESS = "60/minute"  # attempts of one address to open a table, which cost work
PHRASES_OF_SEAT = "8/minute"  # phrases that one seat says
HINTS_OF_ADDRESS = "60/minute"  # hints, records and the like, of each kind, for one address
HANDOVERS_OF_ADDRESS = "12/hour"  # device links made, and data deleted, by one address
SUBSCRIPTIONS_OF_ADDRESS = "60/hour"  # push subscriptions stored for one address
KEYS_OF_ADDRESS = "60/minute"  # invalid keys of one address

WORD_SECONDS = 3.0  # from the beginning of a game, for clients to send words for sealed dice
TAKE_BACK_SECONDS = 10.0  # time after a game before its envelope is opened
AWAY_SECONDS = 120  # idle time of a player who is due, after which others can treat them as gone
MOST_EVENTS = 10_000  # events of one room; then it is full


def network(address: str) -> str:
    """Return the text by which an address is counted: for IPv6 its /64 network, else itself.

    >>> network("2001:db8::1"), network("192.0.2.7"), network("::ffff:192.0.2.7")
    ('2001:db8::/64', '192.0.2.7', '192.0.2.7')
    """
    with suppress(ValueError):
        parsed = IPv6Address(address)
        return str(parsed.ipv4_mapped or f"{IPv6Address(int(parsed) >> 64 << 64)}/64")
    return address
