/** Arrow keys among things that lie beside and above each other. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The index of the thing that an arrow key leads to; null: there is none, or it is another key. */
export function neighbour(boxes: readonly Box[], at: number, key: string): number | null {
  const from = boxes[at];
  if (from === undefined) return null;
  if (key === 'ArrowLeft') return at > 0 ? at - 1 : null;
  if (key === 'ArrowRight') return at < boxes.length - 1 ? at + 1 : null;
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const way = key === 'ArrowDown' ? 1 : -1;
  const middle = (box: Box) => (box.left + box.right) / 2;
  const down = (box: Box) => way * ((box.top + box.bottom) / 2 - (from.top + from.bottom) / 2);
  const beyond = boxes.map((box, i) => ({ box, i })).filter(({ box }) => down(box) > (from.bottom - from.top) / 2);
  const nearest = Math.min(...beyond.map(({ box }) => down(box)));
  const row = beyond.filter(({ box }) => down(box) < nearest + (from.bottom - from.top) / 2);
  row.sort((a, b) => Math.abs(middle(a.box) - middle(from)) - Math.abs(middle(b.box) - middle(from)));
  return row[0]?.i ?? null;
}

/** The buttons within an element. */
export function buttonsOf(element: HTMLElement): HTMLButtonElement[] {
  return [...element.querySelectorAll<HTMLButtonElement>('button')];
}

/** Move the focus by an arrow key; whether it led somewhere. */
export function moveFocus(element: HTMLElement, event: KeyboardEvent): boolean {
  const buttons = buttonsOf(element);
  const at = buttons.findIndex((button) => button === event.target);
  const next = neighbour(
    buttons.map((button) => button.getBoundingClientRect()),
    at,
    event.key,
  );
  if (next === null) return false;
  event.preventDefault();
  buttons[next]?.focus();
  return true;
}

/** Give the focus to the button of an element that Tab leads to. */
export function enter(element: HTMLElement | null): void {
  const buttons = element === null ? [] : buttonsOf(element);
  (buttons.find((button) => button.tabIndex === 0) ?? buttons[0])?.focus();
}
