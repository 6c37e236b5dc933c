/** Dragging an item with mouse, pen or finger. Whatever can be dragged can also be done with keys and clicks. */
import type { Attachment } from 'svelte/attachments';
import type { TradeDraft } from './draft.svelte';

/** A finger that moves at once scrolls the page; one that rests first lifts the item. */
const LIFT_MS = 220;
const FAR = 6;

export interface Lifted {
  readonly item: string;
  readonly seat: number;
  readonly draft: TradeDraft;
  /** Called with the place where the item was dropped. */
  readonly drop: (place: string) => void;
}

/** The name of the place below a point, from its attribute `data-drop`. */
function placeAt(x: number, y: number): string | null {
  const place = document.elementFromPoint(x, y)?.closest('[data-drop]');
  return place instanceof HTMLElement ? (place.dataset['drop'] ?? null) : null;
}

class Drag {
  #start: PointerEvent | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDragging = false;
  /** Whether the click that follows a drag is to be ignored. */
  #ignoresClick = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly lifted: () => Lifted,
  ) {}

  down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.#ignoresClick = false;
    this.#start = event;
    if (event.pointerType === 'touch') this.#timer = setTimeout(() => this.#lift(event), LIFT_MS);
    else this.element.setPointerCapture(event.pointerId); // or a fast mouse would leave the item behind
  }

  move(event: PointerEvent): void {
    if (this.#start === null || event.pointerId !== this.#start.pointerId) return;
    const isFar = Math.hypot(event.clientX - this.#start.clientX, event.clientY - this.#start.clientY) > FAR;
    if (!this.#isDragging && isFar) {
      if (this.#start.pointerType === 'touch') this.end();
      else this.#lift(event);
    }
    if (this.#isDragging) this.#show(event);
  }

  up(event: PointerEvent): void {
    const place = this.#isDragging ? placeAt(event.clientX, event.clientY) : null;
    this.#ignoresClick = this.#isDragging;
    this.end();
    if (place !== null) this.lifted().drop(place);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#start = null;
    if (this.#isDragging) this.lifted().draft.dragged = null;
    this.#isDragging = false;
  }

  /** A finger that drags does not scroll. */
  touch(event: TouchEvent): void {
    if (this.#isDragging) event.preventDefault();
  }

  /** No menu of the browser, neither while dragging nor by resting the finger on an item. */
  menu(event: Event): void {
    if (this.#start?.pointerType === 'touch') event.preventDefault();
  }

  click(event: MouseEvent): void {
    if (!this.#ignoresClick) return;
    this.#ignoresClick = false;
    event.preventDefault();
    event.stopPropagation();
  }

  #lift(event: PointerEvent): void {
    this.#isDragging = true;
    this.#show(event);
  }

  #show({ clientX: x, clientY: y }: PointerEvent): void {
    const { item, seat, draft } = this.lifted();
    draft.dragged = { item, seat, x, y, over: placeAt(x, y) };
  }
}

/** Let the element be dragged. */
export function draggable(lifted: () => Lifted): Attachment<HTMLElement> {
  return (element) => {
    const drag = new Drag(element, lifted);
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('pointerdown', (event) => drag.down(event), { signal });
    element.addEventListener('pointermove', (event) => drag.move(event), { signal });
    element.addEventListener('pointerup', (event) => drag.up(event), { signal });
    element.addEventListener('pointercancel', () => drag.end(), { signal });
    element.addEventListener('touchmove', (event) => drag.touch(event), { signal, passive: false });
    element.addEventListener('contextmenu', (event) => drag.menu(event), { signal });
    element.addEventListener('click', (event) => drag.click(event), { signal, capture: true });
    return () => {
      drag.end();
      listening.abort();
    };
  };
}
