/** Times for people. */

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** Such as "4 min. ago". */
export function ago(ms: number, now = Date.now()): string {
  const minutes = Math.round((ms - now) / 60_000);
  if (minutes > -60) return relative.format(Math.min(0, minutes), 'minute');
  const hours = Math.round(minutes / 60);
  return hours > -24 ? relative.format(hours, 'hour') : relative.format(Math.round(hours / 24), 'day');
}

/** Such as "14:05". */
export function time(ms: number, more: Intl.DateTimeFormatOptions = {}): string {
  return new Date(ms).toLocaleTimeString('en', { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', ...more });
}

export function date(ms: number): string {
  return new Date(ms).toLocaleDateString('en', { year: 'numeric', month: 'short', day: 'numeric' });
}
