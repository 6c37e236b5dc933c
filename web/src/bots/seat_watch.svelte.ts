/** The messages between a bot of the user and the arena, as they are sent. */
import { api, got, type Schemas } from '../api/client';
import { LiveSocket, type SocketState } from '../live/socket';
import { entriesOf, joined, type Entry } from './messages';

/** As many messages as the arena keeps. */
export const MOST_MESSAGES = 200;
/** Errors after which connecting again can help. */
const PASSING = new Set(['parked', 'closing', 'store_failed', 'too_many']);

type Feed = Schemas['LoggedMessage'] | Schemas['LoggedStderr'] | Schemas['LoggedNote'] | Schemas['LogOver'];
type Told = Feed | { readonly type: 'error'; readonly code: string; readonly words: string };

export class SeatWatch {
  state: SocketState = $state('connecting');
  entries: readonly Entry[] = $state.raw([]);
  /** How many messages came before those that are kept. */
  dropped = $state(0);
  stderr = $state('');
  /** Bytes of stderr that the arena did not keep. */
  stderrDropped = $state(0);
  isOver = $state(false);
  problem: { readonly code: string; readonly words: string } | null = $state.raw(null);

  readonly #socket: LiveSocket;
  /** Messages that have come since the last picture. */
  #coming: Schemas['LoggedMessage'][] = [];
  /** Whether the next message is the first of a new connection, which tells all of them again. */
  #isNew = true;
  /** The stderr since the connection was opened. */
  #written = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly match: string,
    token: string,
  ) {
    this.#socket = new LiveSocket(`/watch/${encodeURIComponent(match)}/messages`, {
      opened: (socket) => {
        socket.send({ type: 'hello', token });
        this.#isNew = true;
        this.#written = '';
        void this.#fetchStderr();
      },
      message: (message) => this.#take(message as Told),
      changed: (state) => (this.state = state),
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#socket.end();
  }

  #take(message: Told): void {
    switch (message.type) {
      case 'message':
        this.#coming.push(message);
        this.#timer ??= setTimeout(() => this.#show(), 50); // many at once are drawn together
        break;
      case 'stderr':
        this.#written += message.text;
        this.stderr += message.text;
        break;
      case 'note':
        break; // its answer is among the messages
      case 'over':
        this.isOver = true;
        this.#socket.end();
        break;
      case 'error':
        this.problem = message;
        if (!PASSING.has(message.code)) this.#socket.end();
        break;
    }
  }

  #show(): void {
    this.#timer = undefined;
    const coming = this.#coming.splice(0);
    const last = coming.at(-1);
    if (last === undefined) return;
    const kept = this.#isNew ? [] : this.entries;
    this.#isNew = false;
    this.problem = null;
    const first = last.n - MOST_MESSAGES;
    this.entries = [...kept, ...coming.flatMap(entriesOf)].filter((entry) => entry.n > first);
    this.dropped = (this.entries[0]?.n ?? 1) - 1;
  }

  async #fetchStderr(): Promise<void> {
    try {
      const params = { path: { match: this.match } };
      const { text, dropped } = await got(api.GET('/api/matches/{match}/stderr', { params }));
      this.stderr = joined(text, this.#written);
      this.stderrDropped = dropped;
    } catch {
      // the connection says what is wrong
    }
  }
}
