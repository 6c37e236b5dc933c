/** Views for tests. */
import { TUTORIAL } from './tutorial';
import type { View } from './types';

/** The first turn of the first seat, with these changes. */
export function viewWith(change: Partial<View>): View {
  return { ...TUTORIAL[0]!.view, ...change };
}
