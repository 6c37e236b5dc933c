// After the build: compress the files, write the build's id, and check the size of the first load.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildId } from './build_id.js';

const MOST_FIRST_LOAD = 150_000;
const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest']);
const out = fileURLToPath(new URL('../../parlour/web/', import.meta.url));

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}

function compress(path) {
  const data = readFileSync(path);
  const text = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  writeFileSync(`${path}.br`, brotliCompressSync(data, { params: text }));
  writeFileSync(`${path}.gz`, gzipSync(data, { level: 9 }));
}

/** All files that a browser loads before it can show anything: the entry, what it imports at once, and their styles. */
function firstLoad(manifest) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const seen = new Set();
  const loaded = new Set(['index.html']);
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    loaded.add(manifest[key].file);
    for (const style of manifest[key].css ?? []) loaded.add(style);
    for (const next of manifest[key].imports ?? []) visit(next);
  };
  visit(entry);
  return loaded;
}

for (const path of files(out)) {
  if (COMPRESSED.has(extname(path))) compress(path);
}
writeFileSync(join(out, 'build.txt'), buildId());
const loaded = [...firstLoad(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')))];
const bytes = loaded.reduce((sum, file) => sum + statSync(join(out, `${file}.gz`)).size, 0);
console.log(`first load: ${(bytes / 1000).toFixed(1)} kB gzipped, without fonts`);
if (bytes > MOST_FIRST_LOAD) {
  console.error(`That is more than the ${MOST_FIRST_LOAD / 1000} kB that we allow.`);
  process.exit(1);
}
