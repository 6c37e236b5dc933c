/** Times of leagues, in the time zone of the browser. */

const MOMENT: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;
const HOUR_MS = 3_600_000;

/** Such as "Fri, Nov 20, 14:00"; with the year if it is another one. */
export function moment(ms: number, now = Date.now()): string {
  const date = new Date(ms);
  const year = date.getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' as const };
  return date.toLocaleString('en', { ...MOMENT, ...year });
}

/** The time until a moment in its two largest units, such as "2 d 3 h"; "0 s" if it has come. */
export function until(ms: number, now: number): string {
  let seconds = Math.max(0, Math.ceil((ms - now) / 1000));
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0 || (unit === 's' && parts.length === 0)) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

/** The value of a field for date and time. */
export function toField(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment in a field for date and time; null if it is empty or not a time. */
export function fromField(text: string): number | null {
  const ms = text === '' ? NaN : new Date(text).getTime();
  return Number.isFinite(ms) ? ms : null;
}

/** A record of changed times, such as "deadline_ms from 1 to 2; freeze_ms from None to 3", in words. */
export function timesIn(
  record: string,
  words: (name: string, from: string, to: string) => string,
  never: string,
): string {
  const at = (text: string) => (text === 'None' ? never : moment(Number(text)));
  return record
    .split('; ')
    .map((each) => {
      const found = /^(deadline_ms|freeze_ms) from (\d+|None) to (\d+|None)$/.exec(each);
      return found === null ? each : words(found[1]!, at(found[2]!), at(found[3]!));
    })
    .join('; ');
}

/** The usual deadline: the next full hour, a day from now. */
export function usualDeadline(now: number): number {
  return Math.ceil(now / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
}
