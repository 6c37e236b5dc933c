/** The checks of a transcript that need no rules: chain, commitment, salts, signature and receipt. */
import type { Receipt as StoredReceipt } from '../live/receipt';
import { t } from '../texts';
import { fromHex, shortHex, toHex } from './bytes';
import type { Crypto } from './crypto';
import { finding, type Finding } from './findings';
import { compareReceipt } from './receipt_check';
import { readReceipt, type Receipt } from './receipt_file';
import { endingOf, readTranscript, seedOf, sittings, type Transcript } from './transcript';

/** The signed end of a match, as the arena gives it. */
export interface SignedEnd {
  readonly header: string;
  readonly head: string;
  readonly signature: string;
  readonly public_key: string;
}

/** The arena's facts about the match. */
export interface KnownMatch {
  readonly commit: string | null;
  readonly proof: SignedEnd | null;
  /** The public key of the arena; null if it has none. */
  readonly key: string | null;
}

export interface Evidence {
  readonly data: Uint8Array;
  /** null: the arena does not know the match. */
  readonly known: KnownMatch | null;
  /** The receipt of this browser; without lines if it has none. */
  readonly receipt: StoredReceipt;
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly crypto: Crypto['name'];
  /** Facts beside the finding about the rules. */
  readonly rules: string;
}

export async function check(evidence: Evidence, crypto: Crypto): Promise<Checked> {
  const transcript = await readTranscript(evidence.data, crypto);
  const { lines, isLost } = evidence.receipt;
  const receipt = lines.length === 0 ? null : readReceipt(lines);
  const findings = [
    await checkCommitment(transcript, evidence.known, crypto),
    checkSalts(transcript, evidence.known, receipt),
    checkChain(transcript),
    await checkSignature(transcript, evidence.known, crypto),
  ];
  if (receipt !== null) findings.push(compareReceipt(transcript, receipt));
  else if (lines.length > 0) findings.push(finding('receipt', 'open', t.proof.receipt.broken));
  else if (isLost) findings.push(finding('receipt', 'open', t.proof.receipt.lost));
  return { findings, crypto: crypto.name, rules: rulesOf(transcript) };
}

function rulesOf(transcript: Transcript): string {
  const { header, links } = transcript;
  if (header === null) return '';
  return t.proof.replay.rules(links.filter((link) => link.kind === 'input').length, header.game, header.version);
}

export function checkChain(transcript: Transcript): Finding {
  const { bad, lines } = transcript;
  if (bad !== null) {
    const words = t.proof.chain[bad.why];
    const said = typeof words === 'string' ? words : words(bad.line);
    return finding('chain', 'fails', said, t.proof.chain.count(lines.length), bad.line);
  }
  const head = endingOf(transcript)?.head;
  const detail =
    head === undefined ? t.proof.chain.count(lines.length) : t.proof.chain.head(lines.length, shortHex(head));
  return finding('chain', 'holds', t.proof.chain.holds, detail);
}

export async function checkCommitment(
  transcript: Transcript,
  known: KnownMatch | null,
  crypto: Crypto,
): Promise<Finding> {
  const words = t.proof.commitment;
  const { header } = transcript;
  if (header === null) return finding('commitment', 'open', words.noHeader);
  if (known !== null && known.commit !== null && known.commit !== header.commit)
    return finding('commitment', 'fails', words.other, '', 1);
  const revealed = seedOf(transcript);
  if (revealed === null) return finding('commitment', 'open', words.noSeed);
  const { line, seed } = revealed;
  const detail = words.seed(shortHex(toHex(seed)));
  const commit = toHex(await crypto.sha256(seed));
  if (commit !== header.commit) return finding('commitment', 'fails', words.wrong(line), detail, line);
  return finding('commitment', 'holds', words.holds, detail);
}

export function checkSalts(transcript: Transcript, known: KnownMatch | null, receipt: Receipt | null): Finding {
  const words = t.proof.salts;
  if (transcript.header === null) return finding('salts', 'open', words.noHeader);
  const players = sittings(transcript);
  const salts = players.filter((player) => player.salt !== '').length;
  const detail = words.count(salts, players.length);
  const given = receipt?.salts(transcript.header.commit) ?? [];
  if (receipt !== null && given.length > 0) {
    const isThere = given.includes(players[receipt.seat]?.salt ?? '');
    if (!isThere) return finding('salts', 'fails', words.wrong(receipt.seat), detail, 1);
  }
  const signed = known?.proof ?? null;
  if (signed !== null && signed.header !== transcript.hashes[0])
    return finding('salts', 'fails', words.changed, detail, 1);
  if (salts === 0) return finding('salts', 'open', words.none, detail);
  if (given.length > 0) return finding('salts', 'holds', words.own, detail);
  return signed === null
    ? finding('salts', 'open', words.unknown, detail)
    : finding('salts', 'holds', words.signed, detail);
}

export async function checkSignature(
  transcript: Transcript,
  known: KnownMatch | null,
  crypto: Crypto,
): Promise<Finding> {
  const words = t.proof.signature;
  const { header, hashes } = transcript;
  if (known === null)
    return finding('signature', 'open', header === null ? words.noHeader : words.unknown(header.match));
  const ending = endingOf(transcript);
  const { proof, key } = known;
  if (proof === null) return finding('signature', 'open', words.unsigned);
  const detail = words.shown(shortHex(proof.public_key));
  const fails = (said: string, line: number | null) => finding('signature', 'fails', said, detail, line);
  if (header === null || hashes[0] !== proof.header) return fails(words.header, 1);
  if (ending === null) return finding('signature', 'open', words.noEnd, detail);
  if (ending.head !== proof.head) return fails(words.head, ending.line);
  if (key !== null && key !== proof.public_key) return fails(words.key, null);
  const stated = statement(header.match, proof.header, proof.head, ending.result);
  const signature = fromHex(proof.signature);
  const publicKey = fromHex(proof.public_key);
  if (signature === null || publicKey === null || !(await crypto.isSigned(signature, stated, publicKey)))
    return fails(words.invalid, null);
  if (transcript.bad !== null) return finding('signature', 'open', words.broken, detail);
  return finding('signature', 'holds', words.holds, detail);
}

/** The bytes that an arena signs. `result` is as it is written in the transcript. */
export function statement(match: string, header: string, head: string, result: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(`parlour result 1\nmatch ${match}\nheader ${header}\nhead ${head}\nresult `);
  const stated = new Uint8Array(text.length + result.length + 1);
  stated.set(text);
  stated.set(result, text.length);
  stated.set([10], text.length + result.length);
  return stated;
}
