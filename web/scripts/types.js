// Generate TypeScript types from the documents that schemas.py has written to src/generated.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const folder = new URL('../src/generated/', import.meta.url);

for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const types = astToString(await openapiTS(new URL(name, folder), { defaultNonNullable: false }));
  writeFileSync(fileURLToPath(new URL(name.replace('.json', '.d.ts'), folder)), types);
}
