/** The proof of one match while it is being made: what is fetched, checked here, and asked of the arena. */
import type { Receipt } from '../live/receipt';
import { t } from '../texts';
import type { Checked, KnownMatch } from './checks';
import { finding, overall, type CheckName, type Finding, type FindingState } from './findings';
import { runChecks } from './run';
import { replayFinding, type Verdict } from './verdict';

/** Where the evidence comes from. */
export interface ProofSource {
  transcript(): Promise<Uint8Array>;
  known(): Promise<KnownMatch | null>;
  verdict(): Promise<Verdict>;
  receipt(): Promise<Receipt>;
}

const ORDER: readonly CheckName[] = ['commitment', 'salts', 'chain', 'replay', 'signature', 'receipt'];

export class ProofRun {
  checked: Checked | null = $state.raw(null);
  replay: Finding | null = $state.raw(null);
  failed = $state(false);
  readonly state: FindingState | 'running' = $derived(
    this.failed ? 'open' : this.checked === null || this.replay === null ? 'running' : overall(this.findings),
  );
  readonly #stop = new AbortController();
  #hasBegun = false;

  constructor(private readonly source: ProofSource) {}

  /** All findings so far, in the order in which they are told. */
  get findings(): Finding[] {
    const found = [...(this.checked?.findings ?? []), ...(this.replay === null ? [] : [this.replay])];
    return found.sort((a, b) => ORDER.indexOf(a.check) - ORDER.indexOf(b.check));
  }

  /** Begin, unless it has begun. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void this.#run();
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    try {
      const { source } = this;
      const [data, known, receipt] = await Promise.all([source.transcript(), source.known(), source.receipt()]);
      const checked = await runChecks({ data, known, receipt }, this.#stop.signal);
      this.checked = checked;
      this.replay = await this.#asked(checked.rules);
    } catch {
      this.failed = !this.#stop.signal.aborted;
    }
  }

  async #asked(rules: string): Promise<Finding> {
    try {
      return replayFinding(await this.source.verdict(), rules);
    } catch (e) {
      const why = e instanceof Error ? e.message : '';
      return finding('replay', 'open', t.proof.replay.noAnswer(why), rules);
    }
  }
}
