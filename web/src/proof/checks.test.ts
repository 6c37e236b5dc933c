import * as ed25519 from '@noble/ed25519';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NO_RECEIPT, type Receipt } from '../live/receipt';
import { toHex } from './bytes';
import { check, statement, type Evidence } from './checks';
import { availableCrypto, browserCrypto, bundledCrypto, type Crypto } from './crypto';
import { overall, type CheckName, type Finding } from './findings';
import { bytesOf, fixturePaths, knownOf, proofOf, rechained, textLines, transcriptOf } from '../../tests/transcripts';
import { endingOf, readTranscript } from './transcript';
import { replayFinding } from './verdict';

const GAME = 'forsale/protocol-1';
const fixture = proofOf(GAME);
const data = transcriptOf(GAME);
const lines = textLines(data);
function kept(lines: readonly string[]): Receipt {
  return { lines, isLost: false };
}

const real: Evidence = { data, known: knownOf(fixture), receipt: kept(fixture.receipt) };

async function found(evidence: Evidence, crypto: Crypto): Promise<Record<CheckName, Finding>> {
  const { findings } = await check(evidence, crypto);
  return Object.fromEntries(findings.map((each) => [each.check, each])) as Record<CheckName, Finding>;
}

function states(findings: Record<string, Finding>): Record<string, string> {
  return Object.fromEntries(Object.values(findings).map((each) => [each.check, each.state]));
}

const ALL_HOLD = { commitment: 'holds', salts: 'holds', chain: 'holds', signature: 'holds', receipt: 'holds' };

test('the browser is used where it can, and the bundled code elsewhere', () => {
  expect(availableCrypto({ crypto: { subtle: globalThis.crypto.subtle } }).name).toBe('browser');
  expect(availableCrypto({ crypto: {} }).name).toBe('bundled');
  expect(availableCrypto({}).name).toBe('bundled');
});

test('a browser without Ed25519 checks signatures with the bundled code', async () => {
  const subtle = {
    digest: (name: string, bytes: BufferSource) => globalThis.crypto.subtle.digest(name, bytes),
    importKey: () => Promise.reject(new DOMException('unknown algorithm', 'NotSupportedError')),
  } as unknown as SubtleCrypto;
  expect(states(await found(real, browserCrypto(subtle)))).toEqual(ALL_HOLD);
});

describe.each([['browser', browserCrypto(globalThis.crypto.subtle)] as const, ['bundled', bundledCrypto] as const])(
  'with the code of the %s',
  (_, crypto) => {
    test('a real match with its signature and receipt holds', async () => {
      expect(states(await found(real, crypto))).toEqual(ALL_HOLD);
    });

    test('one changed byte breaks the chain at the next line', async () => {
      const changed = data.slice();
      const place = bytesOf(lines.slice(0, 20)).length + 20;
      changed[place] = changed[place]! ^ 1;
      const { chain, signature } = await found({ ...real, data: changed }, crypto);
      expect([chain.state, signature.state]).toEqual(['fails', 'open']);
      expect([21, 22]).toContain(chain.line);
    });

    test('a changed move with new hashes keeps the chain but not the signature and the receipt', async () => {
      const place = lines.findIndex((line) => line.includes('"by":0,"do":{"type":"Bid","amount":17}'));
      const forged = rechained(lines.with(place, lines[place]!.replace('"amount":17', '"amount":16')));
      const checks = await found({ ...real, data: bytesOf(forged) }, crypto);
      expect(states(checks)).toEqual({ ...ALL_HOLD, signature: 'fails', receipt: 'fails' });
      expect(checks.signature.words).toContain('A line was changed and all later fingerprints were computed again');
      expect(checks.receipt.line).toBe(place + 1);
      expect(checks.receipt.words).toContain('"amount":17');
      expect(checks.receipt.words).toContain('"amount":16');
    });

    test('a wrong seed is not the one committed to', async () => {
      const seed = lines.at(-1)!.replace(/"seed":"../, '"seed":"00');
      const checks = await found({ ...real, data: bytesOf([...lines.slice(0, -1), seed]) }, crypto);
      expect(states(checks)).toEqual({ ...ALL_HOLD, commitment: 'fails' });
      expect(checks.commitment.line).toBe(lines.length);
    });

    test('a wrong salt is named, also after the hashes were computed again', async () => {
      const header = lines[0]!.replace('"salt":"0.0586', '"salt":"0.0587');
      const data = bytesOf(rechained([header, ...lines.slice(1)]));
      const checks = await found({ ...real, data }, crypto);
      expect(states(checks)).toEqual({ ...ALL_HOLD, salts: 'fails', signature: 'fails', receipt: 'fails' });
      expect(checks.salts.words).toContain('The salt of seat 0 is not the one that this browser gave');
      const without = await found({ ...real, data, receipt: NO_RECEIPT }, crypto);
      expect(without.salts).toMatchObject({ state: 'fails', line: 1 });
      const unchained = await found({ ...real, data: bytesOf([header, ...lines.slice(1)]) }, crypto);
      expect(unchained.chain).toMatchObject({ state: 'fails', line: 2 });
      expect(unchained.salts.state).toBe('fails');
    });

    test('a signature of another key or another match does not hold', async () => {
      const other = ed25519.keygen();
      const transcript = await readTranscript(data, crypto);
      const ending = endingOf(transcript)!;
      const stated = statement(transcript.header!.match, transcript.hashes[0]!, ending.head, ending.result);
      const proof = {
        ...fixture.proof,
        signature: toHex(ed25519.sign(stated, other.secretKey)),
        public_key: toHex(other.publicKey),
      };
      const known = { ...real.known!, proof };
      expect((await found({ ...real, known }, crypto)).signature.state).toBe('fails');
      const ours = { ...known, key: proof.public_key };
      expect((await found({ ...real, known: ours }, crypto)).signature.state).toBe('holds');
      const broken = { ...ours, proof: { ...proof, signature: fixture.proof.signature } };
      expect((await found({ ...real, known: broken }, crypto)).signature.state).toBe('fails');
    });
  },
);

test.each(fixturePaths)('%s: proof and receipt of the referee hold', async (path) => {
  const fixture = proofOf(path);
  const evidence = { data: transcriptOf(path), known: knownOf(fixture), receipt: kept(fixture.receipt) };
  const { findings } = await check(evidence, bundledCrypto);
  expect(findings.filter((each) => each.state === 'fails')).toEqual([]);
  expect(findings.find((each) => each.check === 'receipt')?.state).toBe('holds');
});

const folder = new URL('../../../tests/fixtures/release-0.1.0/', import.meta.url);
const games = ['colorfight', 'dominion', 'forsale', 'maze', 'tradecraft'];
const all = games.flatMap((game) =>
  readdirSync(new URL(game, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${game}/${name.replace('.jsonl', '')}`),
);

test('no transcript of the first release is called forged', async () => {
  expect(all.length).toBeGreaterThan(40);
  for (const path of all) {
    const { findings } = await check({ data: transcriptOf(path), known: null, receipt: NO_RECEIPT }, bundledCrypto);
    const isFinished = !/unfinished|unrevealed/.test(path);
    expect(findings.filter((each) => each.state === 'fails')).toEqual([]);
    expect([path, findings[0]?.state]).toEqual([path, isFinished ? 'holds' : 'open']);
  }
});

test('a file of a match that the arena does not know has no signature, and says so', async () => {
  const { findings } = await check({ data, known: null, receipt: NO_RECEIPT }, bundledCrypto);
  const signature = findings.find((each) => each.check === 'signature');
  expect(signature).toMatchObject({ state: 'open' });
  expect(signature?.words).toContain('does not know the match 7c911468c99a51fd');
  expect(overall(findings)).toBe('open');
});

test.each([
  ['nothing', new Uint8Array(), 1],
  ['no newline at the end', data.slice(0, -1), lines.length],
  ['half a line', data.slice(0, 200), 1],
  ['text', new TextEncoder().encode('hello\nworld\n'), 1],
  ['no UTF-8', new Uint8Array([255, 254, 10]), 1],
  ['an array', new TextEncoder().encode('[1]\n'), 1],
  ['a header twice', bytesOf([lines[0]!, ...lines]), 2],
  ['a missing line', bytesOf(lines.toSpliced(5, 1)), 6],
  ['a line after the seed', bytesOf(rechained([...lines, lines[1]!])), lines.length + 1],
])('%s is no chain', async (_, bytes, line) => {
  const { findings } = await check({ data: bytes, known: null, receipt: NO_RECEIPT }, bundledCrypto);
  expect(findings.find((each) => each.check === 'chain')).toMatchObject({ state: 'fails', line });
});

test('what the arena found by the rules is told with its line', () => {
  expect(replayFinding({ holds: 'yes', why: 'all', line: null }, '').state).toBe('holds');
  expect(replayFinding({ holds: 'so far', why: 'not finished', line: null }, '').state).toBe('open');
  const broken = replayFinding({ holds: 'no', why: 'is not what the referee would have written here', line: 7 }, '');
  expect(broken).toMatchObject({ state: 'fails', line: 7 });
  expect(broken.words).toContain('line 7 is wrong: is not what');
});

test('a receipt that could not be kept is no reason to doubt the match, and said', async () => {
  const { findings } = await check({ ...real, receipt: { lines: [], isLost: true } }, bundledCrypto);
  const found = findings.find((each) => each.check === 'receipt');
  expect(found).toMatchObject({ state: 'open' });
  expect(found?.words).toContain('could not keep a receipt');
});
