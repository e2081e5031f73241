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
        writeFileSync(
          join(folder, `${name}.br`),
          brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        );
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
    load: (id) =>
      id === file()
        ? readFileSync(join(root, 'index.html'), 'utf8').replace(CONSOLE_ENTRY, SIGN_IN_ENTRY)
        : undefined,
  };
}

/** Pages of the console; everything else is the service's. */
const PAGE =
  /^\/(authorize|callback|device|wallets(\/.*)?|deposits(\/.*)?|devices(\/.*)?|people|security(\/.*)?|operator)?$/;
const VITE_FILE = /^\/(@|src\/|node_modules\/|\.vite\/)/;

/** `npm run dev`: the development server answers the paths at which the service would answer with a page. */
function serveDevelopmentPages(): Plugin {
  return {
    name: 'serve-development-pages',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
        const isPage = request.method === 'GET' && PAGE.test(path);
        if (!isPage || !request.headers.accept?.includes('text/html')) return next();
        const index = readFileSync(join(server.config.root, 'index.html'), 'utf8');
        const document =
          path === '/authorize' ? index.replace(CONSOLE_ENTRY, SIGN_IN_ENTRY) : index;
        const page = await server.transformIndexHtml(path, document);
        response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
      });
    },
  };
}

/** The service that `npm run dev` starts beside this server. WebSockets but for devices' are the server's own. */
const SERVICE = process.env.DEV_SERVICE ?? 'http://127.0.0.1:8080';
const FORWARD = {
  '/me/devices/connect': { target: SERVICE, ws: true },
  '/': {
    target: SERVICE,
    bypass: ({ url }: { url?: string }) => (VITE_FILE.test(url ?? '') ? url : undefined),
  },
};

/** What a person sees who has to sign in in the console: one file, so that it comes in one wave with the console's own. */
const SIGN_IN_PARTS =
  /node_modules\/(react|react-dom|scheduler|@noble)\/|\/src\/(show-page|theme|sign-in|session\/(authorize|signed-in-here)|api\/(http|problem)|lib\/(password|code-text)|i18n\/(index|translate|(en|zh)\/entry|problem-text|scope-text)|parts\/(brand|button|field|heading|icon|preferences|skeleton|submission|text))/;

/** Compiled beside the download, before it runs: nearly all of it runs at once. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad\n';

const CONSOLE_OUTPUT = {
  input: 'index.html',
  output: { codeSplitting: { groups: [{ name: 'first', test: SIGN_IN_PARTS }] } },
};

/** One file that shares nothing with the console: what is needed there only would be waited for here. */
const SIGN_IN_OUTPUT = {
  input: 'authorize.html',
  output: { postBanner: ({ isEntry }: { isEntry: boolean }) => (isEntry ? COMPILE_AHEAD : '') },
};

/** `vite build` makes the console, `vite build --mode sign-in` the sign-in page beside it. */
export default defineConfig(({ mode }) => {
  const isSignIn = mode === 'sign-in';
  return {
    plugins: [signInDocument(), serveDevelopmentPages(), react(), compressAssets()],
    server: { proxy: FORWARD },
    // The service replaces the placeholder with a fresh nonce in every answer.
    html: { cspNonce: '__CSP_NONCE__' },
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      emptyOutDir: !isSignIn,
      target: 'es2022',
      // The first browsers that know light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The console is made of all that the sign-in page is made of.
      license: isSignIn ? false : { fileName: 'licenses.md' },
      rolldownOptions: {
        ...(isSignIn ? SIGN_IN_OUTPUT : CONSOLE_OUTPUT),
        // A slow machine is no reason for a warning.
        checks: { pluginTimings: false },
      },
    },
    logLevel: 'warn',
  };
});
