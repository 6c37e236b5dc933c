/** The parts of a browser that live pages use, for tests: WebSockets that the test answers, a window, and storage. */
import { vi } from 'vitest';

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  /** All that were made, the newest last. */
  static made: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  readonly sent: unknown[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }

  static get last(): FakeSocket {
    const last = this.made.at(-1);
    if (last === undefined) throw new Error('no socket was made');
    return last;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    if (this.readyState === FakeSocket.CLOSED) return;
    this.readyState = FakeSocket.CLOSED;
    this.onclose();
  }

  /** The server accepts the connection. */
  accept(): this {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
    return this;
  }

  /** The server sends messages. */
  tell(...messages: object[]): this {
    for (const message of messages) this.onmessage({ data: JSON.stringify(message) });
    return this;
  }
}

export interface FakeBrowser {
  readonly window: EventTarget & { location: { protocol: string; host: string; origin: string } };
  readonly document: { hidden: boolean };
  readonly storage: Map<string, string>;
}

/** Put a browser in the place of the globals. Undone by `vi.unstubAllGlobals()`. */
export function fakeBrowser(): FakeBrowser {
  FakeSocket.made = [];
  const location = { protocol: 'http:', host: 'arena.test', origin: 'http://arena.test' };
  const window = Object.assign(new EventTarget(), { location });
  const document = { hidden: false };
  const storage = new Map<string, string>();
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', document);
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  });
  return { window, document, storage };
}
