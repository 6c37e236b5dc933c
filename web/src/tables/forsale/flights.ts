/** Cards and coins that move from one place of the board to another. Only for the eye: nothing depends on it. */
import type { LogEvent } from '../contract';
import { eventsOf } from './types';

/** Something that moves: found by the first selector before the board changes, it flies to the second one after. */
export interface Flight {
  readonly from: string;
  readonly to: string;
}

/** The movements of these events: cards go to their buyers, coins to the bid and back. */
export function flightsOf(events: readonly LogEvent[]): Flight[] {
  return eventsOf(events).flatMap((event) => {
    switch (event.type) {
      case 'Raised':
        return [{ from: `[data-place="${event.seat}"] .coins`, to: `[data-bid="${event.seat}"]` }];
      case 'Passed': {
        const card = { from: `[data-estate="${event.estate}"]`, to: `[data-place="${event.seat}"]` };
        const coins = { from: `[data-bid="${event.seat}"] .coins`, to: `[data-place="${event.seat}"]` };
        return event.refund > 0 ? [card, coins] : [card];
      }
      case 'Won':
        return [{ from: `[data-estate="${event.estate}"]`, to: `[data-place="${event.seat}"]` }];
      default:
        return [];
    }
  });
}

const DURATION_MS = 250;

interface Ready {
  readonly copy: Element;
  readonly from: DOMRect;
  readonly to: string;
}

/** Copy what is about to move, before the board changes. */
export function prepare(board: HTMLElement, flights: readonly Flight[]): Ready[] {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden) return [];
  return flights.flatMap(({ from, to }) => {
    const node = board.querySelector(from);
    return node === null ? [] : [{ copy: node.cloneNode(true) as Element, from: node.getBoundingClientRect(), to }];
  });
}

/** Let the copies fly over the board, as it is now. */
export function launch(board: HTMLElement, layer: HTMLElement, ready: readonly Ready[]): void {
  const origin = layer.getBoundingClientRect();
  for (const { copy, from, to } of ready) {
    const goal = board.querySelector(to)?.getBoundingClientRect();
    if (goal === undefined) continue;
    const carrier = document.createElement('div');
    Object.assign(carrier.style, {
      position: 'absolute',
      left: `${from.left - origin.left}px`,
      top: `${from.top - origin.top}px`,
    });
    carrier.append(copy);
    layer.append(carrier);
    const x = goal.left + goal.width / 2 - (from.left + from.width / 2);
    const y = goal.top + goal.height / 2 - (from.top + from.height / 2);
    const frames = [{ transform: 'none' }, { transform: `translate(${x}px, ${y}px) scale(0.35)`, opacity: 0.6 }];
    const flight = carrier.animate(frames, { duration: DURATION_MS, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' });
    flight.onfinish = flight.oncancel = () => carrier.remove();
  }
}
