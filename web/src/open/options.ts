/** The house rules of a new table. */
import type { Schema } from '../tables/generic/schema';

/** The options that differ from their defaults. A table states no others, so that it follows the game's usual rules. */
export function different(options: Schema, chosen: unknown): Record<string, unknown> {
  const fields = Object.entries((chosen ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    fields.filter(([name, value]) => name !== 'type' && !isUsual(options.properties?.[name]?.default, value)),
  );
}

function isUsual(usual: unknown, value: unknown): boolean {
  return JSON.stringify(value ?? null) === JSON.stringify(usual ?? null);
}
