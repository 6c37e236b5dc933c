/** The keys of a replay. */

export type KeyCommand = 'toggle' | 'back' | 'on' | 'start' | 'end';

const COMMANDS: Record<string, KeyCommand> = {
  ' ': 'toggle',
  ArrowLeft: 'back',
  ArrowRight: 'on',
  Home: 'start',
  End: 'end',
};

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

/** The element that has the focus. */
export type Focus = 'text' | 'slider' | 'button' | 'none';

/** The effect of a key; null: none, because the focused element uses it. */
export function commandOf(pressed: Pressed, focus: Focus): KeyCommand | null {
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || pressed.shiftKey || focus === 'text') return null;
  const command = COMMANDS[pressed.key] ?? null;
  if (command === 'toggle') return focus === 'button' ? null : command;
  return focus === 'slider' ? null : command; // a slider moves by itself
}

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'none';
  if (target instanceof HTMLInputElement && target.type === 'range') return 'slider';
  if (target.isContentEditable || target.matches('input, textarea, select, dialog *')) return 'text';
  return target.closest('button, a[href], summary') === null ? 'none' : 'button';
}
