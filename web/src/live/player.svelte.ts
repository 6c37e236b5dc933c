/** The viewer's own seat in a running match, over protocol 1: what is asked, and the answers. */
import type { OpenAsk, Refusal, Turn } from '../tables/contract';
import type { FromPlayer, FromReferee, Problem } from './messages';
import { receiptOf, ReceiptWriter } from './receipt';
import { forgetSalt, type Salt } from './salt';
import { LiveSocket, type SocketState } from './socket';

type Told<Type extends FromReferee['type']> = Extract<FromReferee, { type: Type }>;

/** Errors after which connecting again can help. */
const PASSING = new Set(['parked', 'closing', 'store_failed', 'bug', 'idle', 'silent', 'too_many', 'too_many_tries']);

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Where to take a seat in a match that is already running. */
export interface Entrance {
  /** The name of the room. */
  readonly table: string;
  /** The name to play under. */
  readonly name: string;
  /** Facts that the room wants to know, such as its key. */
  readonly about: Readonly<Record<string, string>>;
}

export class PlayerConnection implements Turn {
  state: SocketState = $state('connecting');
  ask: OpenAsk | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  isSending = $state(false);
  isOver = $state(false);
  /** Whether the arena has given the viewer a seat. */
  isSeated = $state(false);
  /** Whether the room had begun another match, and the seat is there. */
  hasMoved = $state(false);
  /** Whether the viewer has resigned. */
  hasLeft = $state(false);
  /** Why the seat cannot be played here; code `replaced`: it is played in another tab. */
  problem: Problem | null = $state.raw(null);
  /** Whether there was no room for a receipt. */
  isUnrecorded = $state(false);

  /** Settles when the connection has ended for good. */
  readonly ended: Promise<void>;

  readonly #receipt: ReceiptWriter;
  #end!: () => void;
  #salt: Salt;
  #socket: LiveSocket;
  #hello: Told<'hello'> | null = null;
  /** Whether the seat was given over this connection. */
  #sitsHere = false;
  /** The last ask for which an answer was late. */
  #late = 0;
  #sent: { id: number; action: Record<string, unknown> } | null = null;
  /** Whether the last answer replaced another one, and may have come after the round was closed. */
  #isReplacement = false;
  #queries = new Map<number, Waiting>();
  #queryId = 0;

  constructor(
    private readonly game: string,
    private readonly match: string,
    private readonly token: string,
    salt: Salt,
    private readonly entrance: Entrance | null = null,
  ) {
    this.#salt = salt;
    this.#receipt = new ReceiptWriter(match);
    this.ended = new Promise((resolve) => (this.#end = resolve));
    this.#socket = this.#connect();
  }

  /** Play here again after another tab took the seat. */
  takeOver(): void {
    this.problem = null;
    this.#socket.end();
    this.#socket = this.#connect();
  }

  answer(action: Record<string, unknown>): void {
    const ask = this.ask;
    if (ask === null || this.isSending) return;
    this.#isReplacement = false;
    if (this.#answer(ask.id, action)) this.isSending = true;
  }

  replace(action: Record<string, unknown>): void {
    if (this.#sent === null) return;
    this.#isReplacement = true;
    this.#answer(this.#sent.id, action);
  }

  /** True if the answer was sent. */
  #answer(id: number, action: Record<string, unknown>): boolean {
    if (this.state !== 'open') return false;
    this.refusal = null;
    const behind = this.#late === id ? { behind: true } : {};
    this.#record({ kind: 'answer', id, action, ...behind }); // first, so that a crash cannot lose it
    if (!this.#send({ type: 'answer', id, action })) return false;
    this.#sent = { id, action };
    return true;
  }

  query(question: Record<string, unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#queryId;
      if (this.#send({ type: 'query', id, question })) this.#queries.set(id, { resolve, reject });
      else reject(new Error('not connected'));
    });
  }

  /** Resign: leave the match for good. */
  leave(): void {
    if (this.#send({ type: 'leave' })) this.hasLeft = true;
  }

  close(): void {
    this.#socket.end();
    this.#forgetQueries();
  }

  #send(message: FromPlayer): boolean {
    return this.#socket.send(message);
  }

  #connect(): LiveSocket {
    const table = this.entrance === null || this.isSeated ? this.match : this.entrance.table;
    return new LiveSocket(this.#pathOf(table), {
      opened: (socket) => {
        this.#sitsHere = false;
        const salt = this.#salt.text ? { salt: this.#salt.text } : {};
        const hello: FromPlayer = {
          type: 'hello',
          token: this.token,
          about: { kind: 'person', ...this.entrance?.about },
          ...(this.entrance === null ? {} : { name: this.entrance.name }),
          ...salt,
        };
        socket.send(hello);
      },
      message: (message) => this.#take(message as FromReferee),
      changed: (state) => this.#changed(state),
    });
  }

  #pathOf(table: string): string {
    return `/play/${encodeURIComponent(this.game)}/${encodeURIComponent(table)}`;
  }

  #changed(state: SocketState): void {
    this.state = state;
    if (state === 'closed') this.#end();
    if (state === 'open') return;
    this.ask = null; // it comes again with the next connection
    this.isSending = false;
    this.#forgetQueries();
  }

  #forgetQueries(): void {
    for (const waiting of this.#queries.values()) waiting.reject(new Error('connection lost'));
    this.#queries.clear();
  }

  #take(message: FromReferee): void {
    switch (message.type) {
      case 'hello':
        this.#greeted(message);
        break;
      case 'seat':
        this.#seated(message);
        break;
      case 'ask':
        this.#asked(message);
        break;
      case 'fault':
        this.#refused(message);
        break;
      case 'reply':
        this.#queries.get(message.id)?.resolve(message.answer);
        this.#queries.delete(message.id);
        break;
      case 'over':
        this.#over(message);
        break;
      case 'error':
        this.problem = message;
        if (!PASSING.has(message.code)) this.#socket.end();
        break;
      default:
        this.#moved();
    }
  }

  #greeted(hello: Told<'hello'>): void {
    this.#hello = hello;
    if (hello.salted) {
      this.#salt = { ...this.#salt, isNew: false };
    } else if (this.#salt.isNew) {
      this.#salt = { text: '', isNew: false }; // the match has begun without it
      forgetSalt(this.match);
    }
  }

  #seated(seat: Told<'seat'>): void {
    this.problem = null;
    if (this.entrance !== null && seat.match !== this.match) {
      this.hasMoved = true;
      this.#socket.end();
      return;
    }
    this.#socket.path = this.#pathOf(this.match); // a lost connection must not lead to the next match of the room
    this.isSeated = true;
    this.#sitsHere = true;
    const { match, seat: number, players, header } = seat;
    this.#recordHello();
    const returned = this.#hello?.salted === false ? { returned: true } : {};
    this.#record({ kind: 'seat', match, seat: number, players, header, ...returned });
  }

  /** Record the commitment and the salt, once for all connections. */
  #recordHello(): void {
    if (this.#hello === null) return;
    const { server, game, version, commit } = this.#hello;
    const salt = this.#salt.text;
    const entry = { kind: 'hello', receipt: 1, url: window.location.origin, server, game, version, commit, salt };
    if (!receiptOf(this.match).lines.includes(JSON.stringify(entry))) this.#record(entry);
  }

  #asked(asked: Told<'ask'>): void {
    const { id, attempt, limit_ms: limitMs, bank_ms: bankMs, ask } = asked;
    const until = limitMs === null ? null : performance.now() + limitMs + (bankMs ?? 0);
    this.ask = { id, attempt, ask, until, limitMs };
    this.isSending = false;
    const isAnotherAsk = this.#sent !== null && this.#sent.id !== id && attempt <= 1;
    if (isAnotherAsk && this.refusal?.cost === null) this.refusal = null; // what had a price is told until the next answer
  }

  #refused(fault: Told<'fault'>): void {
    const { id, kind, code, words, cost } = fault;
    if (kind === 'late') this.#late = id;
    this.#record({ kind: 'fault', id, fault: kind, code });
    const sent = this.#sent?.id === id ? this.#sent.action : null;
    if (kind === 'unasked' && sent === null && !this.#isReplacement) return;
    this.refusal = { kind, code, words, action: sent, cost };
    this.isSending = false;
    if (cost !== null) this.ask = null;
  }

  /** An event shows that the answer was taken. */
  #moved(): void {
    if (!this.isSending) return;
    this.isSending = false;
    this.ask = null;
    this.refusal = null;
  }

  #over(over: Told<'over'>): void {
    const end = over.void ?? { type: 'Result', scores: over.scores, ranks: over.ranks };
    const { head, signature, public_key } = over;
    const returned = this.#sitsHere ? {} : { returned: true };
    this.#record({ kind: 'over', end, head, signature, public_key, ...returned });
    this.isOver = true;
    this.ask = null;
    this.#socket.end();
  }

  #record(entry: object): void {
    if (!this.#receipt.add(entry)) this.isUnrecorded = true;
  }
}
