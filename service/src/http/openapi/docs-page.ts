/**
 * `GET /docs`: a page of Swagger UI, on which a person tries operations with an access token of
 * their own and copies the curl command. Its files are loaded on this page only.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpServer } from '../types.ts';
import { type StoredText, sendStored, storeText } from './stored-text.ts';

const FILES = join(
  dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))),
  'static',
);

/** Own files only; of inline styles only the one that the page creates, by its hash. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every operation of edge-account, to read and to try.">
<title>edge-account API</title>
<link rel="icon" href="/docs/static/favicon-32x32.png">
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/page.css">
<script defer src="/docs/static/swagger-ui-bundle.js"></script>
<script defer src="/docs/static/start.js"></script>
</head>
<body>
<main id="swagger-ui"></main>
</body>
</html>
`;

/** The document has no links between operations; their column leaves phones no room. */
const STYLE = '.swagger-ui .response-col_links { display: none; }\n';

/** The token is kept in the memory of the page only. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const readStatic = (name: string): Buffer => readFileSync(join(FILES, name));

const SERVED: Readonly<Record<string, () => StoredText>> = {
  '/docs': () => storeText(Buffer.from(PAGE), 'text/html; charset=utf-8'),
  '/docs/static/start.js': () => storeText(Buffer.from(START), 'text/javascript; charset=utf-8'),
  '/docs/static/page.css': () => storeText(Buffer.from(STYLE), 'text/css; charset=utf-8'),
  '/docs/static/swagger-ui-bundle.js': () =>
    storeText(readStatic('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'),
  '/docs/static/swagger-ui.css': () =>
    storeText(readStatic('swagger-ui.css'), 'text/css; charset=utf-8'),
  '/docs/static/favicon-32x32.png': () => storeText(readStatic('favicon-32x32.png'), 'image/png'),
};

/** Each file is read and compressed at its first request. */
export function serveDocsPage(app: HttpServer): void {
  const routes = Object.entries(SERVED).map(([path, read]) => {
    let stored: StoredText | undefined;
    return { path, get: () => (stored ??= read()) };
  });
  const [page] = routes;
  if (page !== undefined) routes.push({ path: '/docs/', get: page.get });
  for (const { path, get } of routes)
    app.get(
      path,
      { exposeHeadRoute: true, config: { access: 'open' }, schema: { hide: true } },
      async (request, reply) => {
        reply.header('content-security-policy', POLICY);
        return sendStored(request, reply, get());
      },
    );
}
