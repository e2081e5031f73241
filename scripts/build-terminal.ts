/**
 * Part of `npm ci`: bundles the terminal into one file, which every service serves at
 * `/edge-terminal.mjs`.
 */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = new URL('../', import.meta.url);

const bundle = await rolldown({
  input: fileURLToPath(new URL('terminal/src/main.ts', root)),
  platform: 'node',
  // Optional native helpers of the WebSocket library.
  external: ['bufferutil', 'utf-8-validate'],
  logLevel: 'warn',
});
await bundle.write({
  file: fileURLToPath(new URL('service/dist/edge-terminal.mjs', root)),
  format: 'esm',
  codeSplitting: false,
  minify: true,
});
await bundle.close();
