/** The finding of a check, in words. */

export type CheckName = 'commitment' | 'salts' | 'chain' | 'replay' | 'signature' | 'receipt';

/** open: it cannot be checked here, and the words say why. */
export type FindingState = 'holds' | 'fails' | 'open';

export interface Finding {
  readonly check: CheckName;
  readonly state: FindingState;
  readonly words: string;
  /** A short fact, such as a hash. */
  readonly detail: string;
  /** The line of the transcript that is wrong, counted from 1. */
  readonly line: number | null;
}

export function finding(
  check: CheckName,
  state: FindingState,
  words: string,
  detail = '',
  line: number | null = null,
): Finding {
  return { check, state, words, detail, line };
}

/** All findings in one word. Without a salt or a receipt a match can still be proved; without the rest it cannot. */
export function overall(findings: readonly Finding[]): FindingState {
  if (findings.some((each) => each.state === 'fails')) return 'fails';
  const isOpen = findings.some((each) => each.state === 'open' && each.check !== 'salts' && each.check !== 'receipt');
  return isOpen || findings.length === 0 ? 'open' : 'holds';
}
