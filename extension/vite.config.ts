/**
 * Builds the extension into dist/, to be loaded unpacked or packed. `EDGE_SERVICE_URL` is the
 * service that it belongs to: the extension may reach that origin and no other.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const VERSION = '0.1.0';
const serviceUrl = (process.env.EDGE_SERVICE_URL ?? 'http://localhost:8080').replace(/\/+$/, '');
/**
 * The redirect goes to an address of this machine where nothing listens; the extension sees the
 * navigation, and needs no access to that address.
 */
const callbackUrl = 'http://127.0.0.1/edge-extension';

const manifest = {
  manifest_version: 3,
  name: 'Edge network',
  version: VERSION,
  description: 'Makes this browser a device of the network.',
  minimum_chrome_version: '116',
  background: { service_worker: 'background.js', type: 'module' },
  action: { default_popup: 'popup.html', default_title: 'Edge network' },
  permissions: ['storage', 'alarms', 'webNavigation'],
  host_permissions: [`${new URL(serviceUrl).origin}/*`],
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [writeManifest()],
  define: {
    __SERVICE_URL__: JSON.stringify(serviceUrl),
    __CALLBACK_URL__: JSON.stringify(callbackUrl),
    __VERSION__: JSON.stringify(VERSION),
  },
  build: {
    target: 'chrome116',
    minify: false,
    modulePreload: false,
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
