import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { buildId } from './scripts/build_id.js';

/** The arena behind the development server, such as PARLOUR_URL=http://127.0.0.1:8000. */
const arena = process.env.PARLOUR_URL ?? 'http://127.0.0.1:8000';
const toArena = { target: arena, ws: true, changeOrigin: true };

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
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { '/api': toArena, '/play/': toArena, '/watch/': toArena } },
  worker: { format: 'es' },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { include: ['tests/**/*.test.ts', 'src/**/*.test.ts'], environment: 'node' },
});
