"""All limits on clients: how many may connect, how much and how fast they may send, and how long they may take.

The page about limits has a table of them, which `docs/schemas.py` writes. A limit that a setting changes is named like
the setting; here is its default. Limits of single games are with the games.
"""

from typing import TypeAlias

from msgspec import Struct

Bytes: TypeAlias = int
Count: TypeAlias = int
PerSecond: TypeAlias = float
PerMinute: TypeAlias = int
Seconds: TypeAlias = float

# Connections

CONNECTIONS: Count = 800
"""Connections over TCP, and as many again over HTTP and WebSocket together."""
CONNECTIONS_PER_ADDRESS: Count = 400
"""The same for one address. An IPv6 /64 network counts as one address."""
HOST_CONNECTIONS: Count = 256
"""The same for the tables of `parlour host`."""
PROXY_SPARE: Count = 2
"""Connections that proxies may have for each request or WebSocket of their clients."""
MOST_SESSIONS: Count = 1024
"""Sessions of Socket.IO. Long polling has no permanent connection that another limit would count."""
MOST_AGENTS: Count = 1024
"""Seats of agents over MCP. They have no permanent connection that another limit would count."""
AGENTS_PER_ADDRESS: Count = 128
"""The same for one address."""
AGENTS_PER_ACCOUNT: Count = 16
"""The same for one account."""
MOST_USERS: Count = 256
"""Users of all halls of Socket.IO together. Every user of a hall is told of all others who enter or leave it."""
WATCHERS_PER_MATCH: Count = 200
"""Spectators of one match."""
MOST_QUEUED: Count = 32
"""Clients that wait for the next sign-up."""

# Log-ins and tables

TRIES_A_MINUTE: PerMinute = 20
"""Attempts of one address to log in, register or become a guest, and of one account to join a table."""
GUESTS_A_MINUTE: PerMinute = 240
"""Clients of one address that connect to play without a valid token."""
WRONG_LOGINS_A_MINUTE: PerMinute = 30
"""Wrong passwords for one account, over all addresses that it has not logged in from."""
TOKENS_PER_ACCOUNT: Count = 100
"""Valid tokens of one account."""
TABLES_PER_ACCOUNT: Count = 20
"""Open tables of one account, and of all guests of one address together."""
TABLES_PER_GUEST: Count = 1
"""Open tables of one guest."""
TABLES_OF_GUESTS: Count = 500
"""Open tables and running matches of all guests together."""
GUESTS_WAIT_S: Seconds = 3600.0
"""How long a table of a guest waits for players."""
MOVES_A_MINUTE: PerMinute = 20
"""Changes of halls of one user, because all users of both halls are told."""
REGISTERS_BURST: Count = 20
"""Registrations on a channel that are handled at once. Each hashes a password."""
REGISTERS_A_SECOND: PerSecond = 1.0
"""The same, after that."""

# Messages

MESSAGE_BYTES: Bytes = 64 * 1024
"""The largest message or request body."""
FRAME_FACTOR: Count = 4
"""A WebSocket is closed at a message of so many times the largest size; shorter ones are only not read."""
MESSAGE_DEPTH: Count = 32
"""How deep lists and objects may be nested in a message."""
VALUE_DEPTH: Count = 16
"""The same for JSON values that follow each other without a delimiter, and for events of Socket.IO."""
MESSAGES_A_SECOND: PerSecond = 200.0
"""Messages that are read from one connection, after a burst of twice as many; the rest wait."""
BURST: Count = 100
"""Messages of a Socket.IO client or on a channel that are read at once."""
A_SECOND: PerSecond = 50.0
"""The same, after that."""
HEAVY: Count = 16 * 1024
"""A message on a channel counts once more for every so many characters."""
FRAMES_BURST: Count = 500
"""WebSocket frames of one connection that are read at once."""
FRAMES_A_SECOND: PerSecond = 1000.0
"""The same, after that."""
MOST_PARTS: Count = 1000
"""Frames of one WebSocket message. Empty frames would not count against its size."""
MOST_POSTED: Count = 16
"""Socket.IO packets in one request or response."""
BITE: Bytes = 4096
"""Bytes of a WebSocket that are parsed at once. The smallest message has six, and handling it costs far more."""
MOST_DROPPED: Bytes = 1024 * 1024
"""Bytes that belong to no message, after which a client has flooded."""
MOST_EARLY: Bytes = 256 * 1024
"""Bytes, with 256 for each message, that are buffered until a client has its seat."""
MOST_AHEAD: Bytes = 64 * 1024
"""Bytes of pipelined requests that are buffered; one more read may exceed it."""
UNASKED_BORNE: Count = 1000
"""Messages of a seat that were not asked for, after which a client has flooded."""
MOST_TOLD: Count = 200
"""Events that are kept for an agent over MCP until it asks; of earlier ones it is told only the number."""
STDERR_READ: Bytes = 16 * 1024 * 1024
"""Bytes of stderr of a seat that are read."""
STDERR_KEPT: Bytes = 64 * 1024
"""Bytes of stderr of a seat that are kept and stored."""
NOTE_BYTES: Bytes = 1024
"""Bytes of a note that are kept; the rest is cut off."""
NOTES_BYTES: Bytes = 1024 * 1024
"""Bytes of all notes of a seat that are kept; later notes are dropped."""
CHAT_LETTERS: Count = 300
"""Characters of a chat message, and of a report about one."""
CHAT_BURST: Count = 5
"""Chat messages of one account in the time below."""
CHAT_BURST_S: Seconds = 10.0
"""The time in which they are counted."""
CHAT_MESSAGES: Count = 2000
"""Chat messages of one match."""
REQUESTS_A_SECOND: PerSecond = 100.0
"""HTTP requests and new connections of one address that are answered, after a burst of twice as many."""

# Replays

REPLAYS: Count = 64
"""Requests for replays of stored matches that are not answered yet."""
REPLAYS_PER_ADDRESS: Count = 16
"""The same for one address."""
UPLOADS: Count = 8
"""Transcripts of clients that are being read or replayed, one for each address."""
UPLOAD_BYTES: Bytes = 5_000_000
"""Bytes of a transcript that a client sends."""

# Slow clients

UNSENT_BYTES: Bytes = 4 * 1024 * 1024
"""Output that a client has not read. A view of a large map takes about a megabyte, and a match begins with two."""
WATCH_QUEUE: Count = 500
"""Messages that a spectator may be behind."""
WATCH_UNSENT_BYTES: Bytes = 16 * 1024 * 1024
"""Output that a spectator has not read."""
WATCH_DELAYED_BYTES: Bytes = 64 * 1024 * 1024
"""The same if messages are delayed, with those that are not due yet."""
SEND_S: Seconds = 10.0
"""How long a WebSocket may take no bytes while a message waits."""
HELLO_S: Seconds = 10.0
"""How long a client may take to introduce itself."""
PRESSED_S: Seconds = 1.0
"""The same for a client that holds a seat for which others wait."""
SIGN_UP_HELLO_S: Seconds = 2.0
"""The same for a client that signs up, if the host sets no other time."""
IDLE_S: Seconds = 3600.0
"""How long a player's connection may be idle."""
RETURN_S: Seconds = 120.0
"""How long a disconnected player may return to its seat."""
AGENT_IDLE_S: Seconds = 300.0
"""How long an agent over MCP may call no tool, before its seat counts as disconnected."""
AGENT_WAIT_S: Seconds = 300.0
"""How long one call of an agent over MCP may wait for its turn."""
AGAIN_S: Seconds = 10.0
"""How long a bot may take to answer `again`."""
REQUEST_S: Seconds = 15.0
"""How long an HTTP connection may be without a request."""
MOST_LOOKS: Count = 4
"""So many times as long a request may take, because some clients wait for an answer on purpose."""
BODY_S: Seconds = 10.0
"""How long the body of a request may take to arrive."""
CONNECT_S: Seconds = 10.0
"""How long a client of Socket.IO may take to send its connect packet."""
PATIENCE_S: Seconds = 300.0
"""How long a client of Socket.IO may be too busy to answer a ping."""
LINGER_S: Seconds = 2.0
"""How long a client may take to read the last data, before its connection is cut."""
FAREWELL_S: Seconds = 5.0
"""How long the client of a WebSocket may take to answer our close frame."""
LAST_S: Seconds = 1.0
"""How long connections may take to close when the server stops."""
GRACE_S: Seconds = 3.0
"""How long open requests may take when the server stops."""
EXIT_S: Seconds = 0.25
"""How long a child process may take to exit after its stdin is closed; then comes SIGTERM."""
TERM_S: Seconds = 1.0
"""How long it may take to exit after SIGTERM; then comes SIGKILL."""


class MessageLimits(Struct, frozen=True):
    """The limits on the messages of one client, as settings may have changed them."""

    message_bytes: int = MESSAGE_BYTES
    message_depth: int = MESSAGE_DEPTH
    messages_a_second: float = MESSAGES_A_SECOND
    idle_s: float = IDLE_S
    unsent_bytes: int = UNSENT_BYTES
