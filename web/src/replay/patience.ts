/** Requests to an arena that may be busy. */

/** How often a request is sent again, and the time between. */
const TRIES = 8;
const AGAIN_MS = 700;

/** Ask again while the arena is busy. */
export async function patiently<T>(ask: () => Promise<T>, againMs = AGAIN_MS): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (e) {
      if (!isBusy(e) || tries >= TRIES) throw e;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

function isBusy(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : 0;
  return status === 429 || status === 503;
}
