/** Builds the console: hashed files under /assets, each with its Brotli and gzip twin beside it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { CONSOLE_PATHS, isSignInPath } from '../service/src/http/console-paths.ts';
import { createChunkGroups, preloadChunks } from './chunks.ts';

const COMPRESSIBLE = /\.(js|css|svg)$/;
/** Smaller files gain nothing from compression. */
const COMPRESS_FROM_BYTES = 1024;

/** Compresses assets at build time, so that the service need not. */
function compressAssets(): Plugin {
  let folder = '';
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, config.build.assetsDir);
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

/** Of the app that a browser installs: the console, not the sign-in page alone. */
const APP_LINK = /\s*<link rel="(apple-touch-icon|manifest)"[^>]*>/g;

/** The sign-in page is the console's document with another script. */
const toSignInDocument = (index: string): string =>
  index.replace(CONSOLE_ENTRY, SIGN_IN_ENTRY).replace(APP_LINK, '');

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
      id === file() ? toSignInDocument(readFileSync(join(root, 'index.html'), 'utf8')) : undefined,
  };
}

const PSEUDO_LANGUAGES = join(import.meta.dirname, 'src/i18n/pseudo/languages.ts');

/** The list of languages with pseudo-languages. */
function addPseudoLanguages(): Plugin {
  return {
    name: 'add-pseudo-languages',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/languages.ts') && importer !== PSEUDO_LANGUAGES ? PSEUDO_LANGUAGES : undefined,
  };
}

/** Pages of the console; all other paths are the service's. */
const PAGE = new RegExp(`^(${CONSOLE_PATHS.map((path) => path.replace('*', '.*')).join('|')})$`);
const VITE_FILE = /^\/(@|src\/|assets\/|node_modules\/|\.vite\/)/;

/** `npm run dev`: the development server serves the pages, as the service does in production. */
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
        const document = isSignInPath(path) ? toSignInDocument(index) : index;
        const page = await server.transformIndexHtml(path, document);
        response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
      });
    },
  };
}

/** The service that `npm run dev` starts. Only the WebSocket of devices is forwarded to it. */
const SERVICE = process.env.DEV_SERVICE ?? 'http://127.0.0.1:8080';
const FORWARD = {
  '/me/devices/connect': { target: SERVICE, ws: true },
  '/': {
    target: SERVICE,
    bypass: ({ url }: { url?: string }) => (VITE_FILE.test(url ?? '') ? url : undefined),
  },
};

/** Preact has the interface of React in a tenth of the code (docs/adr/0135). */
const PREACT = [
  { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react(-dom)?$/, replacement: 'preact/compat' },
];

/** Compiled during the download: nearly all of it runs at once. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad\n';

const CONSOLE_OUTPUT = {
  input: 'index.html',
  output: { codeSplitting: { groups: createChunkGroups() } },
};

/** One file that shares nothing with the console: it loads no code of other pages. */
const SIGN_IN_OUTPUT = {
  input: 'authorize.html',
  // Texts of the console's pages are never loaded here.
  external: /\/console\.ts$/,
  output: { postBanner: ({ isEntry }: { isEntry: boolean }) => (isEntry ? COMPILE_AHEAD : '') },
};

/**
 * The service worker, at one address for ever: a browser compares what it has with what is there.
 */
const WORKER_OUTPUT = {
  input: join(import.meta.dirname, 'push-worker/push-worker.ts'),
  output: { entryFileNames: 'push-worker.js' },
};

const OUTPUTS: Readonly<Record<string, Rolldown.RolldownOptions>> = {
  'sign-in': SIGN_IN_OUTPUT,
  'push-worker': WORKER_OUTPUT,
};

/**
 * `vite build` builds the console, `vite build --mode sign-in` the sign-in page beside it, `vite
 * build --mode push-worker` its service worker. The development server, and `vite build --mode
 * pseudo` for tests, have the pseudo-languages.
 */
export default defineConfig(({ mode, command }) => {
  const beside = OUTPUTS[mode];
  const hasPseudoLanguages = mode === 'pseudo' || command === 'serve';
  return {
    plugins: [
      signInDocument(),
      serveDevelopmentPages(),
      ...(mode === 'push-worker' ? [] : [compressAssets()]),
      ...(beside ? [] : [preloadChunks()]),
      ...(hasPseudoLanguages ? [addPseudoLanguages()] : []),
    ],
    resolve: { alias: PREACT },
    server: { proxy: FORWARD },
    // The service replaces the placeholder with a new nonce in each response.
    html: { cspNonce: '__CSP_NONCE__' },
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      emptyOutDir: beside === undefined,
      target: 'es2022',
      // The first browsers with light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The console contains all packages of the sign-in page.
      license: beside ? false : { fileName: 'licenses.md' },
      rolldownOptions: {
        ...(beside ?? CONSOLE_OUTPUT),
        // Slow machines would cause warnings, and so would marks for React's servers.
        checks: { pluginTimings: false, moduleLevelDirective: false },
      },
    },
    logLevel: 'warn',
  };
});
