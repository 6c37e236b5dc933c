/** The receipt of a match that is over. If this browser was away when the match ended, it asks how it did. */
import { identity } from '../identity.svelte';
import { PlayerConnection } from './player.svelte';
import { receiptOf, type Receipt } from './receipt';

/** The proof waits for it, so not for long. */
const PATIENCE_MS = 5000;

export async function wholeReceipt(game: string, match: string): Promise<Receipt> {
  const receipt = receiptOf(match);
  if (!lacksEnd(receipt) || identity.token === null) return receipt;
  const connection = new PlayerConnection(game, match, identity.token, { text: '', isNew: false });
  const patience = setTimeout(() => connection.close(), PATIENCE_MS);
  await connection.ended;
  clearTimeout(patience);
  return receiptOf(match);
}

function lacksEnd({ lines }: Receipt): boolean {
  return lines.length > 0 && !lines.some((line) => line.startsWith('{"kind":"over"'));
}
