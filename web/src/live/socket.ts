/** A WebSocket that connects again by itself. */

export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface SocketHandlers {
  /** The connection is open: send what introduces this client. */
  opened(socket: LiveSocket): void;
  /** `size` is the length of its text. */
  message(message: { readonly type: string }, size: number): void;
  changed(state: SocketState): void;
}

const DELAYS_MS = [300, 1000, 2000, 5000, 10_000];

export class LiveSocket {
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #ended = false;
  /** A connection from before the network was gone is dead, although the browser may take minutes to notice. */
  readonly #wake = () => {
    this.#socket?.close();
    clearTimeout(this.#timer);
    this.#connect();
  };

  constructor(
    /** Where the next connection is made. */
    public path: string,
    private readonly handlers: SocketHandlers,
  ) {
    window.addEventListener('online', this.#wake);
    this.#connect();
  }

  send(message: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Close for good. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    window.removeEventListener('online', this.#wake);
    this.#socket?.close();
    this.handlers.changed('closed');
  }

  #connect(): void {
    this.handlers.changed('connecting');
    const { protocol, host } = window.location;
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${this.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#ended || socket !== this.#socket) return;
      this.handlers.changed('open');
      this.handlers.opened(this);
    };
    socket.onmessage = (event) => {
      if (this.#ended || socket !== this.#socket) return;
      this.#tries = 0;
      const text = String(event.data);
      const message: unknown = JSON.parse(text);
      if (typeof message === 'object' && message !== null && 'type' in message) {
        this.handlers.message(message as { type: string }, text.length);
      }
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #lost(): void {
    if (this.#ended) return;
    this.handlers.changed('waiting');
    const delay = DELAYS_MS[Math.min(this.#tries, DELAYS_MS.length - 1)] ?? 10_000;
    this.#tries += 1;
    const wait = delay * (0.75 + Math.random() / 2); // so that all pages do not return in the same moment
    this.#timer = setTimeout(() => this.#connect(), wait);
  }
}
