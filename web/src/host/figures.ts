/** Figures for people. */

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Such as "3.4 MB". */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** The two largest units of a time, such as "2 d 3 h". */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ');
}

/** The value of a limit with its unit, which the name of the setting tells. */
export function limitValue(setting: string, value: number): string {
  if (setting.endsWith('_bytes')) return size(value);
  if (setting.endsWith('_s')) return duration(value);
  if (setting.endsWith('_a_second')) return `${value} / s`;
  if (setting.endsWith('_a_minute')) return `${value} / min`;
  return String(value);
}

/** How full a limit is, from 0 to 1. */
export function share(used: number, value: number): number {
  return value <= 0 ? 0 : Math.min(1, used / value);
}
