/** How far entries have moved in the table with the last results. */
import type { Standing } from './forms';

export class RankChanges {
  /** By entry: places up; negative: down. Entries that have not moved are missing. */
  by: ReadonlyMap<string, number> = $state.raw(new Map());
  #ranks: ReadonlyMap<string, number> | null = null;

  /** Take a new table. What has moved stays marked until something moves again. */
  see(standings: readonly Standing[]): void {
    const ranks = ranksOf(standings);
    const before = this.#ranks;
    this.#ranks = ranks;
    if (before === null) return;
    const moved = new Map(
      [...ranks]
        .map(([entry, rank]) => [entry, (before.get(entry) ?? rank) - rank] as const)
        .filter(([, by]) => by !== 0),
    );
    if (moved.size > 0) this.by = moved;
  }
}

function ranksOf(standings: readonly Standing[]): ReadonlyMap<string, number> {
  return new Map(standings.flatMap(({ entry, rank }) => (rank === null ? [] : [[entry, rank] as const])));
}
