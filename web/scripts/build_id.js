// A short hash of everything that the page is built from. The server sends it with every answer of the API, and a page
// that was built from something else asks to be reloaded.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function files(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === 'generated') return []; // types only
    return entry.isDirectory() ? files(path) : [path];
  });
}

export function buildId() {
  const hash = createHash('sha256');
  for (const path of ['index.html', 'package-lock.json', ...files('src'), ...files('public')].sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
