/** A match as it is played, seen by a spectator or from the viewer's own seat. */
import type { LogEvent, Moment, Player, SeatClock } from '../tables/contract';
import type { ChatMessage } from '../chat/messages';
import type { End, FeedClock, FeedMessage, WaitingSeat } from './messages';
import { opensStage } from '../stages';
import { Pacer } from './pacer';
import { LiveSocket, type SocketState } from './socket';

const MOST_LOG = 1000;
/** How many past moments can be looked at again while the match goes on. */
const MOST_PAST = 200;
/** How large all of them may be together, in characters of JSON: the views of large maps are. */
const MOST_PAST_SIZE = 8_000_000;

interface Step {
  readonly events: readonly LogEvent[];
  readonly view: unknown;
  readonly part: string | null;
  readonly clocks: readonly SeatClock[];
  readonly n: number;
  /** Characters of its JSON. */
  readonly size: number;
}

export interface LogLine extends LogEvent {
  /** The stage of the match that it belongs to. */
  readonly part: string | null;
}

export class MatchFeed {
  state: SocketState = $state('connecting');
  game = $state('');
  players: readonly Player[] = $state.raw([]);
  seat: number | null = $state(null);
  moment: Moment | null = $state.raw(null);
  part: string | null = $state(null);
  log: readonly LogLine[] = $state.raw([]);
  end: End | null = $state.raw(null);
  /** The seats of a table whose match has not begun; null afterwards. */
  waiting: readonly WaitingSeat[] | null = $state.raw(null);
  /** The table was cancelled before its match began. */
  isDropped = $state(false);
  /** The server refused to show the match. */
  problem: { code: string; words: string } | null = $state.raw(null);
  /** Whether events and views wait to be shown. */
  isBehind = $state(false);
  /** Shown instead of the present: the moment after this many events. */
  past: Moment | null = $state.raw(null);
  /** Called with each chat message that arrives. */
  chatted: (message: ChatMessage) => void = () => undefined;

  #options: object = {};
  #events: LogEvent[] = [];
  #steps: Step[] = [];
  #stepsSize = 0;
  /** The number of the last event that was handed to the pacer. */
  #taken = 0;
  readonly #pacer = new Pacer<Step>((step) => this.#show(step));
  readonly #socket: LiveSocket;

  /** With a token, the seat of its account is shown instead of the spectator's view. */
  constructor(match: string, token: string | null) {
    const path = `/watch/${encodeURIComponent(match)}${token === null ? '' : '/me'}?full=true`;
    this.#socket = new LiveSocket(path, {
      opened: (socket) => {
        if (token !== null) socket.send({ type: 'hello', token });
      },
      message: (message, size) => this.#take(message as FeedMessage, size),
      changed: (state) => (this.state = state),
    });
  }

  close(): void {
    this.#pacer.stop();
    this.#socket.end();
  }

  /** Show the moment after event `n` if it is still known; null: the present. */
  look(n: number | null): void {
    const step = n === null ? undefined : this.#steps.find((each) => each.n >= n);
    this.past = step === undefined ? null : this.#moment(step);
  }

  #take(message: FeedMessage, size: number): void {
    switch (message.type) {
      case 'waiting':
        this.problem = null;
        this.game = message.game;
        this.waiting = message.seats;
        break;
      case 'begin':
        this.problem = null;
        this.waiting = null;
        this.game = message.game;
        this.players = message.players;
        this.seat = message.seat;
        this.#options = message.options as object;
        this.#events = [];
        break;
      case 'event':
        if (message.n > this.#taken) this.#events.push(message as LogEvent); // after a reconnection, known events come again
        break;
      case 'view':
        this.#taken = this.#events.at(-1)?.n ?? this.#taken;
        this.#pacer.add({ ...message, clocks: message.clocks.map(running), events: this.#events, size });
        this.#events = [];
        this.isBehind = true;
        if (this.moment === null || document.hidden) this.#pacer.flush();
        break;
      case 'chat':
        this.chatted(message);
        break;
      case 'over':
        this.#pacer.flush();
        this.end = message.end;
        this.#socket.end();
        break;
      case 'dropped':
        this.isDropped = true;
        this.#socket.end();
        break;
      case 'error':
        this.problem = message;
        if (message.code !== 'parked' && message.code !== 'too_many') this.#socket.end();
        break;
    }
  }

  #show(step: Step): void {
    this.moment = this.#moment(step);
    if (step.events.length > 0) {
      const lines = withParts(step.events, this.part, step.part);
      this.log = [...this.log, ...lines].slice(-MOST_LOG);
    }
    this.part = step.part;
    this.#keep(step);
    this.isBehind = !this.#pacer.isIdle;
  }

  /** Remember the moment, and forget the oldest ones if there are too many. */
  #keep(step: Step): void {
    this.#steps.push(step);
    this.#stepsSize += step.size;
    while (this.#steps.length > 1 && (this.#steps.length > MOST_PAST || this.#stepsSize > MOST_PAST_SIZE))
      this.#stepsSize -= this.#steps.shift()?.size ?? 0;
  }

  #moment(step: Step): Moment {
    const { game, players, seat } = this;
    const { view, events, clocks } = step;
    return { game, players, seat, view, options: this.#options, events, clocks };
  }
}

function withParts(events: readonly LogEvent[], before: string | null, after: string | null): LogLine[] {
  const seats = events.map(({ seat }) => seat);
  return events.map((event, i) => {
    const isNew = before === after || opensStage(i, seats);
    return { ...event, part: isNew ? after : before };
  });
}

function running(clock: FeedClock): SeatClock {
  return { seat: clock.seat, until: performance.now() + clock.left_ms, bankMs: clock.bank_ms ?? 0 };
}
