/** Whether a key press belongs to an element that needs it: a text field, or a button that it would press. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches('input, textarea, select, dialog *')) return true;
  if (event.key === 'Enter') return target.closest('button, a, summary') !== null;
  return /^(Arrow|Backspace)/.test(event.key) && target !== document.body;
}
