/** `/docs`: the operations at a glance, and the explorer on which they are tried. */
import { ICON, type PageLook } from '../page-look.ts';
import type { HttpServer } from '../types.ts';
import {
  EXPLORER_POLICY,
  EXPLORER_SCRIPT,
  readSwaggerFile,
  renderExplorerPage,
  renderExplorerStyle,
} from './explorer-page.ts';
import { type ListedDocument, renderOperationsPage } from './operations-page.ts';
import { OPERATIONS_SCRIPT } from './operations-page-files.ts';
import { type StoredText, sendStored, storeText } from './stored-text.ts';

interface ServedText {
  readonly stored: StoredText;
  readonly policy: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
/** Of files that are no page. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'";

const file = (text: string | Buffer, type: string, policy = FILE_POLICY): ServedText => ({
  stored: storeText(Buffer.from(text), type),
  policy,
});

const FILES: Readonly<Record<string, () => ServedText>> = {
  '/docs/static/operations.js': () => file(OPERATIONS_SCRIPT, SCRIPT),
  '/docs/static/start.js': () => file(EXPLORER_SCRIPT, SCRIPT),
  '/docs/static/swagger-ui-bundle.js': () => file(readSwaggerFile('swagger-ui-bundle.js'), SCRIPT),
  '/docs/static/swagger-ui.css': () => file(readSwaggerFile('swagger-ui.css'), CSS),
  '/docs/static/icon.svg': () => file(ICON, 'image/svg+xml'),
};

/** What shows the brand. */
const BRANDED: Readonly<
  Record<string, (look: PageLook, document: () => ListedDocument) => ServedText>
> = {
  '/docs': (look, document) => {
    const { html, policy } = renderOperationsPage(look, document());
    return file(html, HTML, policy);
  },
  '/docs/explorer': (look) => file(renderExplorerPage(look), HTML, EXPLORER_POLICY),
  '/docs/static/explorer.css': (look) => file(renderExplorerStyle(look), CSS),
};

/** Each is made and compressed at its first request; what shows the brand, for each brand. */
function listServed(look: () => PageLook, document: () => ListedDocument) {
  const files = Object.entries(FILES).map(([path, make]) => {
    let kept: ServedText | undefined;
    return { path, get: () => (kept ??= make()) };
  });
  const branded = Object.entries(BRANDED).map(([path, make]) => {
    let kept: { readonly key: string; readonly served: ServedText } | undefined;
    const get = (): ServedText => {
      const shown = look();
      const key = JSON.stringify(shown);
      if (kept?.key !== key) kept = { key, served: make(shown, document) };
      return kept.served;
    };
    return { path, get };
  });
  const [page] = branded;
  return [...files, ...branded, ...(page ? [{ ...page, path: '/docs/' }] : [])];
}

export function serveDocs(app: HttpServer, look: () => PageLook): void {
  for (const { path, get } of listServed(look, () => app.swagger() as ListedDocument))
    app.get(
      path,
      { exposeHeadRoute: true, config: { access: 'open' }, schema: { hide: true } },
      async (request, reply) => {
        const { stored, policy } = get();
        reply.header('content-security-policy', policy);
        return sendStored(request, reply, stored);
      },
    );
}
