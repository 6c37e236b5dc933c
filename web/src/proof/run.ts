/** Starts the checks in a worker. */
import type { Checked, Evidence } from './checks';

/** Check the evidence; rejects if that fails. Without workers the page does it itself. */
export async function runChecks(evidence: Evidence, signal: AbortSignal): Promise<Checked> {
  if (typeof Worker === 'undefined') return checkHere(evidence);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  try {
    return await answerOf(worker, evidence, signal);
  } finally {
    worker.terminate();
  }
}

async function checkHere(evidence: Evidence): Promise<Checked> {
  const [{ check }, { availableCrypto }] = await Promise.all([import('./checks'), import('./crypto')]);
  return check(evidence, availableCrypto());
}

function answerOf(worker: Worker, evidence: Evidence, signal: AbortSignal): Promise<Checked> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    worker.addEventListener('message', (event: MessageEvent<Checked | { failed: string }>) => {
      if ('failed' in event.data) reject(new Error(event.data.failed));
      else resolve(event.data);
    });
    worker.addEventListener('error', (event) => reject(new Error(event.message || 'worker')));
    worker.postMessage(evidence);
  });
}
