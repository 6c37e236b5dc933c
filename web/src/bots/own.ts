/** The user's own seats. */
import type { Schemas } from '../api/client';

/** The seat of an account in a match, by its name; null if it has none. */
export function seatOf(info: Schemas['MatchInfo'], name: string | null): number | null {
  return info.seats.find((seat) => name !== null && seat.name === name && seat.kind !== 'bot')?.seat ?? null;
}

/** Whether a bot of this game is connected that can be asked about positions of finished matches. */
export function canBeAsked(seats: readonly Schemas['OwnSeat'][], game: string): boolean {
  return seats.some((seat) => seat.game === game && seat.is_connected && seat.takes_again);
}

/** Whether two actions are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return ordered(one) === ordered(other);
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${ordered(each)}`);
  return `{${parts.join(',')}}`;
}
