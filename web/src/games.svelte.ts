/** The games of this arena, loaded once. */
import { api, got, type Schemas } from './api/client';

export type GameInfo = Schemas['GameInfo'];

class Games {
  all: readonly GameInfo[] = $state.raw([]);
  #loading: Promise<readonly GameInfo[]> | null = null;

  constructor() {
    this.load().catch(() => undefined); // pages that need the list load it again and show the error
  }

  load(): Promise<readonly GameInfo[]> {
    if (this.#loading === null) {
      const loading = got(api.GET('/api/games')).then((found) => (this.all = found));
      loading.catch(() => (this.#loading = null));
      this.#loading = loading;
    }
    return this.#loading;
  }

  titleOf(name: string): string {
    return this.all.find((game) => game.name === name)?.title ?? name;
  }
}

export const games = new Games();
