import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { buildId } from './scripts/build_id.js';

export default defineConfig({
  logLevel: 'warn',
  plugins: [svelte({ configFile: false })],
  define: { __BUILD__: JSON.stringify(buildId()) },
  build: {
    outDir: '../parlour/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { include: ['tests/**/*.test.ts', 'src/**/*.test.ts'], environment: 'node' },
});
