/** Money and times for people. */

/** Dollars: $0.0021, $12.50. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.0001) return '<$0.0001';
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

/** A price or a limit, without digits that say nothing: $2.5, $0.15. */
export function price(amount: number): string {
  return `$${Number(amount.toFixed(6))}`;
}

export function fromNanos(nanos: number): string {
  return dollars(nanos / 1e9);
}

/** 240 ms, 3.2 s, 4 min 10 s. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
