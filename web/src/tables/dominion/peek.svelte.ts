/** The rule text of a card, shown while the pointer rests on it, while it has the focus, or after a long press. */
import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';

const REST_MS = 350;
const PRESS_MS = 450;
const KEY = Symbol('peek');
let made = 0;

export class Peeker {
  card: string | null = $state(null);
  /** Where the card is. */
  box: DOMRect | null = $state.raw(null);
  readonly #id = `dominion-${++made}`;
  /** The last element that was looked at. */
  #element: HTMLElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The element that holds the rule text of a card for screen readers. */
  idOf(card: string): string {
    return `${this.#id}-${card}`;
  }

  show(card: string, element: HTMLElement): void {
    clearTimeout(this.#timer);
    this.#element = element;
    this.box = element.getBoundingClientRect();
    this.card = card;
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.card = null;
  }

  /** The element is no longer looked at. It may be just being removed, and what is drawn must not change meanwhile. */
  #leave(element: HTMLElement): void {
    queueMicrotask(() => {
      if (this.#element === element) this.hide();
    });
  }

  #later(ms: number, card: string, element: HTMLElement, then?: () => void): void {
    clearTimeout(this.#timer);
    this.#element = element;
    this.#timer = setTimeout(() => {
      this.show(card, element);
      then?.();
    }, ms);
  }

  /** Follow an element that shows a card. A long press does not count as a click. */
  of(card: string): Attachment<HTMLElement> {
    return (element) => {
      const stop = new AbortController();
      let isPressed = false;
      const on = <Type extends keyof HTMLElementEventMap>(
        type: Type,
        handle: (event: HTMLElementEventMap[Type]) => void,
        capture = false,
      ) => element.addEventListener(type, handle, { signal: stop.signal, capture });

      on('pointerenter', (event) => {
        if (event.pointerType === 'mouse') this.#later(REST_MS, card, element);
      });
      on('pointerdown', (event) => {
        isPressed = false;
        if (event.pointerType === 'mouse') this.hide();
        else this.#later(PRESS_MS, card, element, () => (isPressed = true));
      });
      for (const type of ['pointerleave', 'pointerup', 'pointercancel', 'blur'] as const)
        on(type, () => this.#leave(element));
      on('focus', () => {
        if (element.matches(':focus-visible')) this.show(card, element);
      });
      on('contextmenu', (event) => {
        if (isPressed) event.preventDefault();
      });
      on(
        'click',
        (event) => {
          if (isPressed) event.stopImmediatePropagation();
          isPressed = false;
        },
        true,
      );
      return () => {
        stop.abort();
        this.#leave(element);
      };
    };
  }
}

/** For a board or a dock: what its cards use to show their rule text. */
export function newPeeker(): Peeker {
  return setContext(KEY, new Peeker());
}

export function thePeeker(): Peeker {
  return getContext<Peeker>(KEY);
}
