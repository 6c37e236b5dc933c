/** Checks transcripts beside the page, so that a long one does not stop it. */
import { check, type Evidence } from './checks';
import { availableCrypto } from './crypto';

addEventListener('message', (event: MessageEvent<Evidence>) => {
  check(event.data, availableCrypto()).then(
    (checked) => postMessage(checked),
    (error: unknown) => postMessage({ failed: String(error) }),
  );
});
