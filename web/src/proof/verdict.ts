/** The check that needs the rules: the arena plays the moves again. */
import { t } from '../texts';
import { finding, type Finding } from './findings';

export interface Verdict {
  readonly holds: 'yes' | 'so far' | 'not replayed' | 'no';
  readonly why: string;
  readonly line: number | null;
}

/** The result of the arena, which played the moves again. */
export function replayFinding(verdict: Verdict, rules: string): Finding {
  const words = t.proof.replay;
  const why = verdict.why.replace(/\.$/, '');
  if (verdict.holds === 'yes') return finding('replay', 'holds', words.holds, rules);
  if (verdict.holds === 'no') return finding('replay', 'fails', words.fails(why, verdict.line), rules, verdict.line);
  return finding('replay', 'open', words.open(why), rules);
}
