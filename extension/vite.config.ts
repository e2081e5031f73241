/**
 * Builds the extension into dist/, to be loaded unpacked or packed. Its manifest names the service
 * that it belongs to, and it may reach that origin and no other: `EDGE_SERVICE_URL`. A service
 * writes its own address into the build that it offers (`/edge-extension.zip`).
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const VERSION = '0.1.0';
/** Until the service says what its network is called. */
const NAME = 'Edge Account';
const serviceUrl = (process.env.EDGE_SERVICE_URL ?? 'http://localhost:8080').replace(/\/+$/, '');
const icons = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/${size}.png`]));

const manifest = {
  manifest_version: 3,
  name: NAME,
  version: VERSION,
  description: 'Makes this browser a device of the network.',
  homepage_url: serviceUrl,
  icons,
  // The first with light-dark(), which the colours use.
  minimum_chrome_version: '123',
  background: { service_worker: 'background.js', type: 'module' },
  action: { default_popup: 'popup.html', default_title: NAME },
  // No `tabs` or `webNavigation`: they see the address of every page that is opened.
  permissions: ['storage', 'alarms'],
  // Its service, and where a sign-in returns to.
  host_permissions: [`${new URL(serviceUrl).origin}/*`, 'http://127.0.0.1/*'],
  content_security_policy: { extension_pages: "script-src 'self'; object-src 'none'" },
};

function writeManifest(): Plugin {
  let folder = '';
  return {
    name: 'write-manifest',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    },
  };
}

/** The font of the popup is beside it: it is waited for, where a page would do without. */
const waitForFonts = {
  postcssPlugin: 'wait-for-fonts',
  Declaration: {
    'font-display': (declaration: { value: string }) => {
      declaration.value = 'block';
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [writeManifest()],
  css: { postcss: { plugins: [waitForFonts] } },
  build: {
    target: 'chrome123',
    minify: false,
    modulePreload: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        background: join(import.meta.dirname, 'src/background.ts'),
        popup: join(import.meta.dirname, 'popup.html'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
  logLevel: 'warn',
});
