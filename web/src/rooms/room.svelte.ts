/** A room as it goes on: its settings, its current game, and the games before. */
import { api, ApiError, got, type Schemas } from '../api/client';
import type { RoomInfo } from './settings';

type MatchInfo = Schemas['MatchInfo'];

const LOOK_MS = 2000;
const MOST_FORMER = 6;

export class RoomWatch {
  info = $state.raw<RoomInfo | null>(null);
  /** The current game; it changes when the room begins another. */
  match = $state.raw<MatchInfo | null>(null);
  /** Games that are over, newest first. */
  former = $state.raw<readonly MatchInfo[]>([]);
  /** Why the room cannot be shown: `no_such_room`, `not_found` if the arena has no rooms, or another code. */
  problem = $state.raw<ApiError | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #isPaused = false;
  #looking = Promise.resolve();
  #wasOver = false;

  constructor(private readonly name: string) {
    void this.#follow();
  }

  /** Look at the room now. */
  async look(): Promise<void> {
    try {
      const params = { path: { name: this.name } };
      const info = await got(api.GET('/api/rooms/{name}', { params }));
      if (this.#isClosed) return;
      await this.#take(info);
      this.problem = null;
    } catch (e) {
      this.problem = e instanceof ApiError ? e : new ApiError('error', '');
      if (this.isGone) this.close();
    }
  }

  /** Whether there is no such room, or there are none at all. */
  get isGone(): boolean {
    return this.problem !== null && ['no_such_room', 'not_found', 'bad_request'].includes(this.problem.code);
  }

  /** Do something, such as deleting the room, during which the room is not looked at. */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    this.#isPaused = true;
    try {
      await this.#looking;
      await work();
    } finally {
      this.#isPaused = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const isWanted = !document.hidden || this.info === null;
    if (isWanted && !this.#isPaused) await (this.#looking = this.look());
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#follow(), LOOK_MS);
  }

  async #take(info: RoomInfo): Promise<void> {
    const isNew = info.match !== (this.match?.id ?? null);
    if (isNew || info.is_over !== this.#wasOver) void this.#loadFormer();
    this.#wasOver = info.is_over;
    if (isNew) this.match = info.match === null ? null : await matchOf(info.match);
    this.info = info;
  }

  async #loadFormer(): Promise<void> {
    const query = { room: this.name, state: 'over' as const, limit: MOST_FORMER };
    try {
      this.former = (await got(api.GET('/api/matches', { params: { query } }))).matches;
    } catch {
      // the next game brings another chance
    }
  }
}

function matchOf(match: string): Promise<MatchInfo> {
  return got(api.GET('/api/matches/{match}', { params: { path: { match } } }));
}
