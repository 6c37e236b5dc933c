/** Links to a moment: /matches/ID?at=38&seat=1 */
import type { Viewer } from './replayer.svelte';

export interface Place {
  readonly at: number;
  readonly viewer: Viewer;
}

export function placeOf(query: URLSearchParams): Place {
  const seat = query.get('seat');
  const viewer = seat === 'all' ? 'all' : numberOf(seat);
  return { at: numberOf(query.get('at')) ?? 0, viewer };
}

export function linkTo(path: string, { at, viewer }: Place): string {
  const query = new URLSearchParams();
  if (at > 0) query.set('at', String(at));
  if (viewer !== null) query.set('seat', String(viewer));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
