/**
 * `GET /edge-extension.zip`: the browser extension of this service, to be unpacked and loaded, or
 * to be given to a store.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';
import { failure } from '../lib/failures.ts';
import { escapeHtml } from './page-look.ts';
import type { HttpServer } from './types.ts';

const FOLDER = fileURLToPath(new URL('../../dist/edge-extension/', import.meta.url));
const MANIFEST = 'manifest.json';
/** Of every file: the same extension is the same archive. */
const CHANGED_AT = new Date('2026-01-01T00:00:00Z');

interface Manifest {
  readonly action: object;
  /** The first is its service. */
  readonly host_permissions: readonly string[];
  readonly [field: string]: unknown;
}

export interface ExtensionOwner {
  /** Public address of the service; the extension reaches its origin. */
  readonly baseUrl: string;
  /** What the network is called now. */
  readName(): string;
}

/** The manifest as it was built, for this service. */
function writeManifest(built: string, baseUrl: string, name: string): string {
  const manifest = JSON.parse(built) as Manifest;
  const own = {
    ...manifest,
    name,
    homepage_url: baseUrl,
    // Those after the first are of every extension.
    host_permissions: [`${new URL(baseUrl).origin}/*`, ...manifest.host_permissions.slice(1)],
    action: { ...manifest.action, default_title: name },
  };
  return `${JSON.stringify(own, null, 2)}\n`;
}

/** Paths below the folder. @throws `unavailable` if the extension is not built */
async function listFiles(): Promise<string[]> {
  try {
    const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => relative(FOLDER, join(parentPath, name))).sort();
  } catch (cause) {
    const detail = 'The extension is not built: run "npm run prepare".';
    throw failure('unavailable', { detail, cause });
  }
}

async function packExtension(baseUrl: string, name: string): Promise<Buffer> {
  const zip = new ZipFile();
  for (const path of await listFiles()) {
    const built = await readFile(join(FOLDER, path));
    const content =
      path === MANIFEST ? Buffer.from(writeManifest(built.toString(), baseUrl, name)) : built;
    zip.addBuffer(content, path, { mtime: CHANGED_AT });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/**
 * Tells a page of the console where a store has the extension.
 * @param storeUrl of `EXTENSION_URL`; undefined: in no store, and the page offers the archive
 */
export function linkExtensionStore(page: string, storeUrl: string | undefined): string {
  if (storeUrl === undefined) return page;
  const meta = `<meta name="edge-extension-store" content="${escapeHtml(storeUrl)}">`;
  return page.replace('</head>', () => `${meta}</head>`);
}

export function registerExtensionFile(
  app: HttpServer,
  { baseUrl, readName }: ExtensionOwner,
): void {
  let packed: { readonly name: string; readonly archive: Promise<Buffer> } | undefined;
  const pack = (name: string): Promise<Buffer> => {
    if (packed?.name !== name) packed = { name, archive: packExtension(baseUrl, name) };
    const { archive } = packed;
    archive.catch(() => {
      // The next request tries again.
      if (packed?.archive === archive) packed = undefined;
    });
    return archive;
  };
  app.get(
    '/edge-extension.zip',
    { exposeHeadRoute: true, config: { access: 'open' }, schema: { hide: true } },
    async (_request, reply) =>
      reply
        .type('application/zip')
        .headers({
          'content-disposition': 'attachment; filename="edge-extension.zip"',
          'cache-control': 'no-cache',
        })
        .send((await pack(readName())) as never),
  );
}
