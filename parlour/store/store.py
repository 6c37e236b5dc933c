"""The store of an arena: accounts, tokens, tables, matches, transcripts and results."""

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from parlour.core import Seat
from parlour.protocol.forms import MatchState, PlayedBy
from parlour.protocol.records import Account, StoredMatch, StoredSeat, now_ms
from parlour.store import tokens as token_rows
from parlour.store.account_changes import AccountChanges, take_names
from parlour.store.account_data import AccountData
from parlour.store.admin_orders import Orders
from parlour.store.chat_messages import ChatMessages, delete_chat_at, delete_chat_of
from parlour.store.database import Database, opened
from parlour.store.figures import Figures
from parlour.store.league_schedule import LeagueSchedule
from parlour.store.league_schema import league_members, league_slots, rated_matches, rating_history
from parlour.store.league_values import Slot
from parlour.store.leagues import LeagueStore
from parlour.store.lock import StoreLock
from parlour.store.model_calls import StoredModels
from parlour.store.name_skeletons import keys_in_thread
from parlour.store.ratings import RatingStore
from parlour.store.schema import accounts, keys, lines, matches, model_budgets, model_calls, rooms, seats, seeds, tokens
from parlour.store.seat_texts import SEAT_TEXTS, StoredTexts
from parlour.store.standings import PlayerRecord, standings
from parlour.store.statements import Statement
from parlour.store.transactions import StorePart, reads, writes

FINISHED: tuple[MatchState, ...] = ("over", "void", "dropped")
RESULTS = "results"
"""The name of the key that signs results."""
MOST_ASKED = 500
"""How many matches' seats are read at once."""


AccountKind: TypeAlias = Literal["accounts", "guests", "administrators", "banned"]


class NameTaken(Exception):
    """The name, or one that looks like it, is in use."""


class IsFinished(Exception):
    """The match has ended with another result, and finished matches never change."""


class NewAccount(Struct, frozen=True):
    """An account to be added; the password is a hash."""

    name: str
    password: str | None
    admin: bool = False


class Token(Struct, frozen=True):
    """A stored token, without its secret."""

    id: int
    account: Account
    scopes: frozenset[str]
    label: str
    created_ms: int
    revoked: bool
    expires_ms: int | None = None
    """None: it is valid until it is revoked."""
    parent: int | None = None
    """The token that it was made from; both are revoked together."""


class StoredRoom(Struct, frozen=True):
    """A room in which one game follows another."""

    name: str
    config: str
    """JSON of its settings."""
    admin: str | None
    """The hash of the password for restarting and deleting it."""
    join_key: str
    """The hash of the key that players need to join; empty if they need none."""
    match: str | None
    """The current or last match."""
    created_ms: int
    owner: int | None = None
    """The account that may administer it without a password."""


class Store(StorePart):
    """All access to the store."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.writer = database.writer
        self.people = AccountChanges(database)
        self.orders = Orders(database)
        self.data = AccountData(database)
        self.figures = Figures(database)
        self.chat = ChatMessages(database)
        self.texts = StoredTexts(database)
        self.models = StoredModels(database)
        self.leagues = LeagueStore(database)
        self.schedule = LeagueSchedule(database)
        self.ratings = RatingStore(database)

    @classmethod
    async def open(cls, url: str, lock: StoreLock | None = None, *, is_lasting: bool = True) -> "Store":
        """Open a store and bring its tables up to date. A server must lock the store first. `is_lasting`: see
        SqliteDatabase."""
        store = cls(await opened(url, lock, is_lasting=is_lasting))
        try:
            await store.people.fill_names()
        except BaseException:
            await store.close()
            raise
        return store

    def fence(self, why: str) -> None:
        """The lock is lost: refuse all access from now on, because another server may have the store."""
        self._database.fence(why)

    async def close(self) -> None:
        await self._database.close()

    @writes
    def ready(self, connection: Connection) -> None:
        """Test reading and writing; raises the error of the database. The value must change, or SQLite would not write
        to the disk."""
        connection.execute(select(func.count()).select_from(tokens).where(tokens.c.id < 0))
        if connection.dialect.name == "sqlite":
            number: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 2**31}")
        else:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")

    @writes
    def signing_key(self, connection: Connection, new: Callable[[], bytes]) -> bytes:
        """The private key for signing results; created at the first call."""
        query = select(keys.c.secret).where(keys.c.name == RESULTS)
        if (kept := connection.scalar(query)) is None:
            row = {"name": RESULTS, "secret": new(), "created_ms": now_ms()}
            with contextlib.suppress(IntegrityError), connection.begin_nested():  # another server may have been first
                connection.execute(insert(keys), row)
            kept = connection.execute(query).scalar_one()
        return bytes(kept)

    # Accounts

    async def add_account(self, name: str, password: str | None, *, admin: bool = False) -> Account:
        """Add an account; the password is a hash. NameTaken if an account has this name or one that looks like it."""
        [added] = await self.add_accounts([NewAccount(name, password, admin)])
        return added

    async def add_accounts(self, wanted: Sequence[NewAccount]) -> list[Account]:
        """Add all accounts, or none: NameTaken if one name is in use. Guests' names may look like others."""
        named = [(each, [] if each.password is None else await keys_in_thread(each.name)) for each in wanted]
        return await self.writer.do(lambda connection: [_add_account(connection, *each) for each in named])

    async def account_of(self, id: int) -> Account | None:
        """An account by its id, in any state."""
        [rows] = await self._database.lookup({"of_id": id}, _ACCOUNT_OF)
        return _account(rows[0]) if rows else None

    async def account(self, name: str) -> Account | None:
        [rows] = await self._database.lookup({"of_name": name}, _ACCOUNT)
        return _account(rows[0]) if rows else None

    async def accounts(
        self, after: int = 0, limit: int = 100, *, part: str = "", kind: AccountKind | None = None
    ) -> list[Account]:
        """In the order of their ids. `part`: a part of their names, in capitals or not."""
        query = select(accounts).where(accounts.c.id > after).order_by(accounts.c.id).limit(limit)
        if part:
            query = query.where(accounts.c.name.icontains(part, autoescape=True))
        if kind is not None:
            query = query.where(*_OF_KIND[kind])
        return [Account(*row) for row in await self._database.rows(query)]

    async def tokenless(self, ids: Iterable[int], but: str | None = None) -> set[int]:
        """Those accounts that cannot return: guests without a valid token (tokens with the label `but` do not count),
        and accounts that are banned or deleted."""
        holds = select(tokens.c.account).where(token_rows.holds(now_ms()))
        if but is not None:
            holds = holds.where(tokens.c.label != but)
        lost = and_(accounts.c.password.is_(None), accounts.c.id.not_in(holds))
        query = select(accounts.c.id).where(accounts.c.id.in_([*ids]), lost | (accounts.c.state != "active"))
        return {*await self._database.values(query)}

    async def guests(self, ids: Iterable[int]) -> set[int]:
        """Those accounts that are guests, without a password."""
        query = select(accounts.c.id).where(accounts.c.id.in_([*ids]), accounts.c.password.is_(None))
        return {*await self._database.values(query)}

    async def idle_guests(self, before_ms: int, after: int = 0, limit: int = 100) -> list[int]:
        """Ids of guests that are older, never had a seat, and have no newer token; in order."""
        newer = exists().where(tokens.c.account == accounts.c.id, tokens.c.created_ms >= before_ms)
        query = select(accounts.c.id).where(accounts.c.id > after, accounts.c.created_ms < before_ms, _BLANK, ~newer)
        return [*await self._database.values(query.order_by(accounts.c.id).limit(limit))]

    async def remove_guests(self, ids: Sequence[int]) -> int:
        """Delete guests and what belongs to them, except those that have taken a seat meanwhile; returns how many."""
        try:
            return await self.writer.do(partial(_remove, ids))
        except IntegrityError:  # a guest took a seat at this moment, or something else refers to it: leave it out
            half = len(ids) // 2
            return await self.remove_guests(ids[:half]) + await self.remove_guests(ids[half:]) if half else 0

    # Tokens

    @writes
    def add_token(
        self,
        connection: Connection,
        account: Account,
        hash: str,
        scopes: Sequence[str],
        label: str,
        *,
        expires_ms: int | None = None,
        parent: int | None = None,
        most: int | None = None,
    ) -> Token:
        """Add a token. TooManyTokens if the account has `most` valid ones; ParentEnded if the parent is not valid;
        without a parent, PasswordChanged if the account has another password now."""
        token_rows.check(connection, account, parent, most)
        return _add_token(connection, account, hash, scopes, label, expires_ms, parent)

    @writes
    def add_guest(
        self,
        connection: Connection,
        name: str,
        hash: str,
        scopes: Sequence[str],
        label: str,
        expires_ms: int | None = None,
    ) -> Token:
        """Add a guest and its first token. NameTaken if an account has this name."""
        account = _add_account(connection, NewAccount(name, None), ())
        return _add_token(connection, account, hash, scopes, label, expires_ms)

    async def token(self, hash: str) -> Token | None:
        """A token by its hash, revoked or not."""
        [rows] = await self._database.lookup({"of_hash": hash}, _TOKEN)
        return _token(rows[0]) if rows else None

    async def tokens_of(self, account: int, most: int | None = None) -> list[Token]:
        """Oldest first. `most`: how many; valid ones before others, and newer ones before older ones."""
        query = select(tokens, accounts).join(accounts, tokens.c.account == accounts.c.id)
        query = query.where(tokens.c.account == account).limit(most)
        query = query.order_by(token_rows.holds(now_ms()).desc(), tokens.c.id.desc())
        return sorted((_token(row) for row in await self._database.rows(query)), key=lambda token: token.id)

    async def revoked_tokens(self, account: int) -> Sequence[int]:
        """Ids of the revoked tokens of an account."""
        query = select(tokens.c.id).where(tokens.c.account == account, tokens.c.revoked.is_(True))
        return await self._database.values(query)

    async def ended_tokens(self, before_ms: int, after: int = 0, limit: int = 100) -> list[int]:
        """Ids of tokens that were revoked or have expired before that time; in order. The newest token is never one of
        them, because SQLite would use its id again."""
        newest = select(func.max(tokens.c.id)).scalar_subquery()
        query = select(tokens.c.id).where(tokens.c.id > after, tokens.c.id < newest, token_rows.ended(before_ms))
        return [*await self._database.values(query.order_by(tokens.c.id).limit(limit))]

    @writes
    def delete_tokens(self, connection: Connection, ids: Sequence[int]) -> None:
        """Delete tokens that have ended."""
        connection.execute(delete(tokens).where(tokens.c.id.in_(ids)))

    @writes
    def revoke(self, connection: Connection, account: int, token: int) -> list[int]:
        """Revoke a token and all that were made from it; returns their ids, empty if there is no such token."""
        return token_rows.end(connection, account, token)

    # Tables and matches

    @writes
    def add_match(self, connection: Connection, match: StoredMatch, seed: bytes) -> None:
        """Add an open table."""
        _add_match(match, seed, connection)

    async def open_slot(self, slot: Slot, match: StoredMatch, seed: bytes) -> bool:
        """Add the open table of a league's slot; False if the slot needs none any more."""
        return await self.schedule.open(slot, match.id, partial(_add_match, match, seed))

    async def note_absent(self, match: str, absent: Sequence[Seat]) -> None:
        """A match of a league is about to begin, or to be given up, without the players of these seats."""
        await self.schedule.note_absent(match, absent)

    async def hides_result(self, match: str) -> bool:
        """Whether the result of a match is hidden, because it ended after the freeze of its league."""
        return bool(await self.leagues.hidden([match]))

    async def teams(self, match: str) -> dict[Seat, frozenset[int]]:
        """The accounts that share a seat of a league's match."""
        slot = select(league_slots).where(league_slots.c.match == match)
        rows = await self._database.rows(slot)
        if not rows:
            return {}
        entries = Slot.of(rows[0]).entries
        members = select(league_members.c.entry, league_members.c.account)
        found = await self._database.rows(members.where(league_members.c.entry.in_(entries)))
        return {
            seat: frozenset(account for entry, account in found if entry == own) for seat, own in enumerate(entries)
        }

    @writes
    def sit(
        self, connection: Connection, match: str, seat: Seat, account: int | None, name: str | None, salt: str | None
    ) -> None:
        """Assign a seat."""
        _SIT.execute(connection, {"of_match": match, "of_seat": seat, "account": account, "name": name, "salt": salt})

    async def stand_up(self, match: str, seat: Seat) -> None:
        """Free a seat."""
        await self.sit(match, seat, None, None, None)

    @writes
    def begin_match(
        self, connection: Connection, id: str, those: Sequence[StoredSeat], guests: Sequence[int] = (), label: str = ""
    ) -> None:
        """Turn a table into a match with these seats; free seats are removed. The tokens of these guests, who are about
        to be told them, get this label."""
        _NO_SEATS.execute(connection, {"of_match": id})
        _ADD_SEATS.execute(connection, [_seat_row(id, seat) for seat in those])
        _BEGIN.execute(connection, {"of_match": id, "state": "running"})
        _LABEL.execute(connection, [{"of_account": guest, "label": label} for guest in guests])

    @writes
    def change_match(self, connection: Connection, /, id: str, **changes: Any) -> None:
        connection.execute(update(matches).where(matches.c.id == id).values(changes))

    @writes
    def end_match(
        self,
        connection: Connection,
        id: str,
        state: MatchState,
        results: Mapping[Seat, tuple[int, int]],
        names: Sequence[str],
        faults: Mapping[Seat, int] | None = None,
    ) -> None:
        """Store scores, ranks and numbers of faults by seat. Seats of players that joined later are added, seats of
        players that never joined are removed, and secrets are deleted. Calling it again changes nothing."""
        if _has_ended_so(id, state, results, connection):
            return
        here, known = range(len(names)), {seat for _, seat, *_ in _SEATS.rows(connection, {"of_match": id})}
        if not known.issubset(here):
            _drop_seats(connection, id, len(names))
        late = [StoredSeat(seat, "joined", "", None, names[seat], "") for seat in here if seat not in known]
        _ADD_SEATS.execute(connection, [_seat_row(id, seat) for seat in late])
        rows = []
        for seat in here:
            score, rank = results.get(seat, (None, None))
            count = None if faults is None else faults.get(seat, 0)
            rows.append(
                {"of_match": id, "of_seat": seat, "score": score, "rank": rank, "secret": None, "faults": count}
            )
        _SET_RESULT.execute(connection, rows)
        _END.execute(connection, {"of_match": id, "state": state, "ended_ms": now_ms()})

    async def match(self, id: str) -> StoredMatch | None:
        rows, found, again = await self._database.lookup({"of_match": id}, _ONE, _SEATS, _REMATCH)
        if not rows:
            return None
        own: dict[str, Any] = dict(zip(matches.c.keys(), rows[0], strict=True))
        seats = tuple(StoredSeat(*seat) for _, *seat in found)
        return StoredMatch(**own, seats=seats, rematch=again[0][0] if again else None)

    async def matches(
        self,
        *,
        game: str | None = None,
        states: Sequence[MatchState] = (),
        players: PlayedBy | None = None,
        room: str | None = None,
        account: int | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
    ) -> list[StoredMatch]:
        """Newest first; those after a pair of time and id. With `account`, only those at which it has or had a seat."""
        query = select(matches).order_by(matches.c.created_ms.desc(), matches.c.id).limit(limit)
        if game is not None:
            query = query.where(matches.c.game == game)
        if states:
            query = query.where(matches.c.state.in_(states))
        if players is not None:
            query = query.where(_FOR_CLIENTS if players == "people" else _BOTS_ALONE)
        if room is not None:  # there may have been another room of this name before
            since = select(rooms.c.created_ms).where(rooms.c.name == room).scalar_subquery()
            query = query.where(matches.c.room == room, matches.c.created_ms >= since)
        if account is not None:
            query = query.where(matches.c.id.in_(select(seats.c.match).where(seats.c.account == account)))
        if before is not None:
            ms, last = before
            query = query.where(matches.c.created_ms <= ms, (matches.c.created_ms < ms) | (matches.c.id > last))
        return await self._matches(query)

    async def bot_matches(self, game: str, skip: int = 0, limit: int = 50) -> list[str]:
        """Ids of finished matches of bots alone that no account set up, newest first."""
        query = select(matches.c.id).order_by(matches.c.created_ms.desc(), matches.c.id).offset(skip).limit(limit)
        query = query.where(matches.c.game == game, matches.c.owner.is_(None), matches.c.state.in_(FINISHED))
        query = query.where(matches.c.league.is_(None), ~exists().where(rated_matches.c.match == matches.c.id))
        return [*await self._database.values(query.where(_BOTS_ALONE))]

    @writes
    def delete_matches(self, connection: Connection, ids: Sequence[str]) -> None:
        """Delete those of the matches that are finished, with their transcripts."""
        finished = select(matches.c.id).where(matches.c.id.in_(ids), matches.c.state.in_(FINISHED))
        those = [*connection.scalars(finished)]
        delete_chat_at(connection, those)
        for table in (rated_matches, rating_history, lines, seats, seeds, *SEAT_TEXTS, model_calls):
            connection.execute(delete(table).where(table.c.match.in_(those)))
        connection.execute(delete(matches).where(matches.c.id.in_(those)))

    async def standings(self, game: str, since_ms: int, limit: int) -> list[PlayerRecord]:
        """The accounts with the most wins in matches of a game that were created since then.

        Guests are left out, because their names are not kept; so are accounts that are banned or deleted, and matches
        of one player alone."""
        rows = await self._database.rows(standings(game, since_ms).limit(limit))
        return [PlayerRecord(name, played, round(wins, 2), round(rank, 2)) for name, played, wins, rank in rows]

    async def count_matches(self) -> int:
        [count] = await self._database.values(select(func.count()).select_from(matches))
        return int(count)

    async def each_match(self, at_once: int = 100) -> AsyncIterator[StoredMatch]:
        """All matches by id, read in batches."""
        last = ""
        while some := await self._matches(
            select(matches).where(matches.c.id > last).order_by(matches.c.id).limit(at_once)
        ):
            for match in some:
                yield match
            last = some[-1].id

    async def unfinished(self) -> list[StoredMatch]:
        """Tables and matches to resume at the start, except those of rooms, which are resumed separately."""
        in_rooms = select(rooms.c.match).where(rooms.c.match.is_not(None))
        query = select(matches).where(matches.c.state.in_(("open", "running")), matches.c.id.not_in(in_rooms))
        return await self._matches(query.order_by(matches.c.created_ms))

    @reads
    def _matches(self, connection: Connection, query: Any) -> list[StoredMatch]:
        rows = connection.execute(query).all()
        found: dict[str, list[StoredSeat]] = {row.id: [] for row in rows}
        again: dict[str, str] = {}
        for first in range(0, len(rows), MOST_ASKED):
            some = [row.id for row in rows[first : first + MOST_ASKED]]
            query = select(seats).where(seats.c.match.in_(some)).order_by(seats.c.match, seats.c.seat)
            for match, *seat in connection.execute(query):
                found[match].append(StoredSeat(*seat))
            again.update((of, id) for of, id in connection.execute(_rematches_of(some)))
        return [StoredMatch(**row._mapping, seats=tuple(found[row.id]), rematch=again.get(row.id)) for row in rows]

    async def seed(self, match: str) -> bytes:
        """Raises NoResultFound if there is none."""
        [rows] = await self._database.lookup({"of_match": match}, _SEED)
        if not rows:
            raise NoResultFound(f"no seed of {match}")
        return bytes(rows[0][0])

    async def numbers(self, match: str) -> list[int]:
        """The numbers of its stored lines."""
        return [*await self._database.values(select(lines.c.n).where(lines.c.match == match).order_by(lines.c.n))]

    async def lines(self, match: str, first: int = 0, limit: int | None = None) -> list[bytes]:
        query = select(lines.c.raw).where(lines.c.match == match, lines.c.n >= first).order_by(lines.c.n).limit(limit)
        return [bytes(raw) for raw in await self._database.values(query)]

    async def last_lines(self, match: str, count: int) -> list[bytes]:
        """The last lines, in order."""
        query = select(lines.c.raw).where(lines.c.match == match).order_by(lines.c.n.desc()).limit(count)
        return [bytes(raw) for raw in await self._database.values(query)][::-1]

    # Rooms

    @writes
    def add_room(self, connection: Connection, room: StoredRoom) -> None:
        """Add a room; NameTaken if there is one of this name."""
        try:
            connection.execute(insert(rooms), asdict(room))
        except IntegrityError:
            raise NameTaken(room.name) from None

    async def room(self, name: str) -> StoredRoom | None:
        [rows] = await self._database.lookup({"of_name": name}, _ROOM)
        return StoredRoom(*rows[0]) if rows else None

    async def rooms(self) -> list[StoredRoom]:
        """Oldest first."""
        query = select(rooms).order_by(rooms.c.created_ms, rooms.c.name)
        return [StoredRoom(*row) for row in await self._database.rows(query)]

    @writes
    def delete_room(self, connection: Connection, name: str) -> None:
        """Delete a room, but not its matches."""
        connection.execute(delete(rooms).where(rooms.c.name == name))

    @writes
    def begin_game(self, connection: Connection, room: str, config: str, match: StoredMatch, seed: bytes) -> None:
        """Add the next match of a room, without seats, and store the room's settings."""
        _add_match(replace(match, room=room), seed, connection)
        connection.execute(update(rooms).where(rooms.c.name == room).values(config=config, match=match.id))

    async def join(self, match: str, seat: StoredSeat) -> bool:
        """Store the seat of a player that is about to join; False if the match is over."""
        try:
            await self._join(match, seat)
        except IntegrityError:
            return False
        return True

    @writes
    def _join(self, connection: Connection, match: str, seat: StoredSeat) -> None:
        same = (seats.c.match == match, seats.c.seat == seat.seat)
        connection.execute(delete(seats).where(*same))  # the row of a player that did not join after all
        _ADD_SEATS.execute(connection, _seat_row(match, seat))

    @writes
    def drop_seats(self, connection: Connection, match: str, first: Seat) -> None:
        """Delete this and all later seats, whose players never joined."""
        _drop_seats(connection, match, first)


def _add_account(connection: Connection, wanted: NewAccount, keys: Sequence[str]) -> Account:
    row: dict[str, Any] = {"name": wanted.name, "password": wanted.password, "admin": wanted.admin}
    row["created_ms"] = now_ms()
    try:
        [[id]] = _ADD_ACCOUNT.rows(connection, row)
        if keys:
            take_names(connection, id, keys)
    except IntegrityError:
        raise NameTaken(wanted.name) from None
    return Account(id, **row)


def _add_token(
    connection: Connection,
    account: Account,
    hash: str,
    scopes: Sequence[str],
    label: str,
    expires_ms: int | None,
    parent: int | None = None,
) -> Token:
    own: dict[str, Any] = {"label": label, "created_ms": now_ms(), "revoked": False}
    own |= {"expires_ms": expires_ms, "parent": parent}
    row = {**own, "account": account.id, "hash": hash, "scopes": " ".join(sorted(scopes))}
    return Token(token_rows.add(connection, row), account, frozenset(scopes), **own)


def _remove(ids: Sequence[int], connection: Connection) -> int:
    those = select(accounts.c.id).where(accounts.c.id.in_(ids), _BLANK).with_for_update(skip_locked=True)
    gone = [*connection.scalars(those)]
    delete_chat_of(connection, gone)
    for table in (tokens, model_budgets):
        connection.execute(delete(table).where(table.c.account.in_(gone)))
    connection.execute(delete(accounts).where(accounts.c.id.in_(gone)))
    return len(gone)


def _add_match(match: StoredMatch, seed: bytes, connection: Connection) -> None:
    _ADD_MATCH.execute(connection, {column.name: getattr(match, column.name) for column in matches.c})
    _ADD_SEED.execute(connection, {"match": match.id, "seed": seed})
    _ADD_SEATS.execute(connection, [_seat_row(match.id, seat) for seat in match.seats])
    if match.is_rated:
        _ADD_RATED.execute(connection, {"match": match.id, "state": "due"})


def _has_ended_so(id: str, state: MatchState, results: Mapping[Seat, tuple[int, int]], connection: Connection) -> bool:
    """Whether the match has already ended with this result; IsFinished if with another one."""
    rows = _STATE.rows(connection, {"of_match": id})
    before = rows[0][0] if rows else None
    if before not in FINISHED:
        return False
    query = select(seats.c.seat, seats.c.score, seats.c.rank).where(seats.c.match == id)
    kept = {row.seat: (row.score, row.rank) for row in connection.execute(query) if row.rank is not None}
    if (before, kept) != (state, dict(results)):
        raise IsFinished(f"{id} has already ended with another result")
    return True


def _drop_seats(connection: Connection, match: str, first: Seat) -> None:
    connection.execute(delete(seats).where(seats.c.match == match, seats.c.seat >= first))


def _rematches_of(ids: Sequence[str]) -> Any:
    """The matches that are played again, and where; of several the last is the newest."""
    query = select(matches.c.rematch_of, matches.c.id).order_by(matches.c.created_ms, matches.c.id)
    return query.where(matches.c.rematch_of.in_(ids), matches.c.state != "dropped")


def _token(row: Sequence[Any]) -> Token:
    id, _, _, scopes, label, created_ms, revoked, expires_ms, parent, *account = row
    scopes = frozenset(scopes.split())
    return Token(id, _account(account), scopes, label, created_ms, bool(revoked), expires_ms, parent)


def _account(row: Sequence[Any]) -> Account:
    id, name, password, admin, created_ms, state = row
    return Account(id, name, password, bool(admin), created_ms, state)


def _of_match(table: Table) -> ColumnElement[bool]:
    return table.c.match == bindparam("of_match")


_ACCOUNT = Statement(select(accounts).where(accounts.c.name == bindparam("of_name")))
_ACCOUNT_OF = Statement(select(accounts).where(accounts.c.id == bindparam("of_id")))
_ADD_ACCOUNT = Statement(insert(accounts).returning(accounts.c.id), ["name", "password", "admin", "created_ms"])
_TOKEN = Statement(
    select(tokens, accounts)
    .join(accounts, tokens.c.account == accounts.c.id)
    .where(tokens.c.hash == bindparam("of_hash"))
)
_LABEL = Statement(update(tokens).where(tokens.c.account == bindparam("of_account")), ["label"])
_ROOM = Statement(select(rooms).where(rooms.c.name == bindparam("of_name")))
_THIS = matches.c.id == bindparam("of_match")
_ONE = Statement(select(matches).where(_THIS))
_STATE = Statement(select(matches.c.state).where(_THIS).with_for_update())
_REMATCH = Statement(
    select(matches.c.id)
    .where(matches.c.rematch_of == bindparam("of_match"), matches.c.state != "dropped")
    .order_by(matches.c.created_ms.desc(), matches.c.id.desc())
    .limit(1)
)
_ADD_MATCH = Statement(insert(matches))
_BEGIN = Statement(update(matches).where(_THIS), ["state"])
_END = Statement(update(matches).where(_THIS), ["state", "ended_ms"])
_ADD_RATED = Statement(insert(rated_matches))
_SEED = Statement(select(seeds.c.seed).where(_of_match(seeds)))
_ADD_SEED = Statement(insert(seeds))
_SEATS = Statement(select(seats).where(_of_match(seats)).order_by(seats.c.seat))
_NO_SEATS = Statement(delete(seats).where(_of_match(seats)))
_ADD_SEATS = Statement(insert(seats))
_SEAT = update(seats).where(_of_match(seats), seats.c.seat == bindparam("of_seat"))
_SIT = Statement(_SEAT, ["account", "name", "salt"])
_SET_RESULT = Statement(_SEAT, ["score", "rank", "secret", "faults"])
_BLANK = and_(
    accounts.c.password.is_(None),
    accounts.c.admin.is_(False),
    accounts.c.state == "active",
    ~exists().where(seats.c.account == accounts.c.id),
    ~exists().where(matches.c.owner == accounts.c.id),
    ~exists().where(rooms.c.owner == accounts.c.id),
)
"""Active guests that no match and no room refers to."""
_OF_KIND: Mapping[AccountKind, Sequence[ColumnElement[bool]]] = {
    "accounts": (accounts.c.password.is_not(None), accounts.c.state != "deleted"),
    "guests": (accounts.c.password.is_(None), accounts.c.state != "deleted"),
    "administrators": (accounts.c.admin.is_(True),),
    "banned": (accounts.c.state == "banned",),
}
_FOR_CLIENTS = exists().where(seats.c.match == matches.c.id, seats.c.kind.not_in(("bot", "command")))
_BOTS_ALONE = and_(exists().where(seats.c.match == matches.c.id), ~_FOR_CLIENTS)


def _seat_row(match: str, seat: StoredSeat) -> dict[str, Any]:
    return {"match": match, **asdict(seat)}
