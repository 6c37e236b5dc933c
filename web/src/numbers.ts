/** 950, 1.2k, 15k: a number that is short enough for an axis. */
export function short(value: number): string {
  if (value < 1000) return String(value);
  const thousands = value / 1000;
  return `${thousands < 10 ? Math.round(thousands * 10) / 10 : Math.round(thousands)}k`;
}
