/** The import of a class, from pasted names to passwords. It survives a look at another tab of the page. */
import { ApiError, type Schemas } from '../api/client';
import { t } from './texts';
import { asHost, gotAsHost } from './client';
import { namesIn, type NamedLine } from './names';

export const MOST_NAMES = 500;
const LOOK_MS = 300;

type Imported = Schemas['Imported'];
type RefusedName = Schemas['RefusedName'];

/** The refused names of a failed import with the lines of the text; null if it failed for another reason. */
export function refusedLines(problem: unknown, lines: readonly NamedLine[]): readonly RefusedName[] | null {
  if (!(problem instanceof ApiError) || problem.code !== 'bad_names') return null;
  const { names } = problem.problem as { names: readonly RefusedName[] };
  return names.map((each) => ({ ...each, line: lines[each.line - 1]?.line ?? each.line }));
}

class ClassImport {
  text = $state('');
  /** The accounts that would be created, if these names have been checked. */
  trial = $state.raw<Imported | null>(null);
  refused = $state.raw<readonly RefusedName[]>([]);
  /** The created accounts with their passwords, until the user is done. */
  made = $state.raw<Imported | null>(null);
  isSaved = $state(false);
  progress = $state.raw<{ done: number; total: number } | null>(null);
  readonly lines = $derived(namesIn(this.text));

  change(text: string): void {
    this.text = text;
    this.trial = null;
    this.refused = [];
  }

  async read(file: File): Promise<void> {
    try {
      this.change(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
    } catch {
      throw new Error(t.host.notText);
    }
  }

  /** Check the names, and create nothing. */
  async check(): Promise<void> {
    this.trial = await this.#send(true);
  }

  async create(): Promise<void> {
    const timer = window.setInterval(() => void this.#look(), LOOK_MS);
    this.progress = { done: 0, total: this.trial?.accounts.length ?? 0 };
    try {
      this.made = await this.#send(false);
      this.isSaved = this.made === null;
      if (this.made !== null) this.change('');
    } finally {
      window.clearInterval(timer);
      this.progress = null;
    }
  }

  /** Forget everything, also the passwords. */
  clear(): void {
    this.change('');
    this.made = null;
    this.isSaved = false;
  }

  /** The answer; null if names were refused. */
  async #send(isTrial: boolean): Promise<Imported | null> {
    const lines = this.lines;
    this.refused = [];
    if (lines.length > MOST_NAMES) throw new Error(t.host.tooMany(lines.length));
    const body = { names: lines.map((each) => each.name), is_trial: isTrial };
    try {
      return await gotAsHost(asHost.POST('/api/accounts/import', { body }));
    } catch (e) {
      const refused = refusedLines(e, lines);
      if (refused === null) throw e;
      this.refused = refused;
      this.trial = null;
      return null;
    }
  }

  async #look(): Promise<void> {
    try {
      const now = await gotAsHost(asHost.GET('/api/accounts/import'));
      if (this.progress !== null && now.total > 0) this.progress = now;
    } catch {
      return; // the import itself tells what is wrong
    }
  }
}

export const classImport = new ClassImport();
