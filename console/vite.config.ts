/** Builds the console: hashed files under /assets, each with its Brotli and gzip twin beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg)$/;
/** Smaller files gain nothing from compression. */
const COMPRESS_FROM_BYTES = 1024;

/** Compressed once here, so that the service never compresses while it serves. */
function compressAssets(): Plugin {
  let folder = '';
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder).filter((entry) => COMPRESSIBLE.test(entry))) {
        const content = readFileSync(join(folder, name));
        if (content.length < COMPRESS_FROM_BYTES) continue;
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

const CONSOLE_ENTRY = '/src/console.tsx';
const SIGN_IN_ENTRY = '/src/authorize.tsx';

/** The sign-in page is the console's own document with another script: there is no second file to keep alike. */
function signInDocument(): Plugin {
  let root = '';
  const file = () => join(root, 'authorize.html');
  return {
    name: 'sign-in-document',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    resolveId: (id) => (id.endsWith('authorize.html') ? file() : undefined),
    load: (id) => (id === file() ? readFileSync(join(root, 'index.html'), 'utf8').replace(CONSOLE_ENTRY, SIGN_IN_ENTRY) : undefined),
  };
}

/** What the sign-in page is made of, and the console needs as well: one file, so that the first page comes in one wave. */
const FIRST_PAGE =
  /node_modules\/(react|react-dom|scheduler|@noble)\/|\/src\/(show-page|theme|sign-in|session\/(authorize|signed-in-here)|api\/(http|problem)|lib\/(password|code-text)|i18n\/(index|translate|(en|zh)\/entry|problem-text|scope-text)|parts\/(brand|button|field|heading|icon|preferences|skeleton|submission|text))/;

export default defineConfig({
  plugins: [signInDocument(), react(), compressAssets()],
  // The service replaces the placeholder with a fresh nonce in every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2022',
    // The first browsers that know light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    // A slow machine is no reason for a warning.
    rolldownOptions: {
      // The sign-in page and the console apart, each loaded in one wave.
      input: ['index.html', 'authorize.html'],
      output: { codeSplitting: { groups: [{ name: 'first', test: FIRST_PAGE }] } },
      checks: { pluginTimings: false },
    },
  },
  logLevel: 'warn',
});
