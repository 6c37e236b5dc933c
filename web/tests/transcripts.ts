/** Real transcripts for tests, and ways to forge them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KnownMatch, SignedEnd } from '../src/proof/checks';

const root = new URL('../../', import.meta.url);

export function transcriptOf(path: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`tests/fixtures/release-0.1.0/${path}.jsonl`, root)));
}

export interface ProofFixture {
  readonly seat: number;
  readonly commit: string;
  readonly proof: SignedEnd;
  readonly receipt: readonly string[];
}

const made = JSON.parse(readFileSync(new URL('web/tests/fixtures/proof.json', root), 'utf8')) as Record<
  string,
  ProofFixture
>;

/** The referee's own results for the transcript; see tests/make_proof_fixture.py. */
export function proofOf(path: string): ProofFixture {
  const found = made[path];
  if (found === undefined) throw new Error(`no fixture for ${path}`);
  return found;
}

export const fixturePaths = Object.keys(made);

export function knownOf(fixture: ProofFixture): KnownMatch {
  return { commit: fixture.commit, proof: fixture.proof, key: fixture.proof.public_key };
}

export function textLines(data: Uint8Array): string[] {
  return new TextDecoder().decode(data).split('\n').slice(0, -1);
}

export function bytesOf(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
}

/** Compute all links again, as a forger would. */
export function rechained(lines: readonly string[]): string[] {
  const made: string[] = [];
  for (const line of lines) {
    const before = made.at(-1);
    const hash = before === undefined ? '' : createHash('sha256').update(before).digest('hex');
    made.push(before === undefined ? line : line.replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${hash}"`));
  }
  return made;
}
