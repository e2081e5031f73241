/**
 * `GET /docs/explorer`: a page of Swagger UI, on which a person tries operations with an access
 * token of their own and copies the curl command. Its files are loaded on this page only.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FONT_FACES, FONT_PRELOAD, FONT_SOURCE, PAGE_FONTS } from '../page-font.ts';
import {
  accentRuleOf,
  BRAND_STYLE,
  brandOf,
  escapeHtml,
  iconOf,
  type PageLook,
  TOKENS,
} from '../page-look.ts';

const FILES = join(
  dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'))),
  'static',
);
export const readSwaggerFile = (name: string): Buffer => readFileSync(join(FILES, name));

/** Own files only; of inline styles only the one that the page creates, by its hash. */
export const EXPLORER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  ...FONT_SOURCE,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function renderExplorerPage(look: PageLook): string {
  const name = escapeHtml(look.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The operations of the API of ${name}, to try.">
<title>API explorer · ${name}</title>
${iconOf(look, '/docs/static/icon.svg')}
${FONT_PRELOAD}
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/explorer.css">
<script defer src="/docs/static/swagger-ui-bundle.js"></script>
<script defer src="/docs/static/start.js"></script>
</head>
<body>
<header class="top">${brandOf(look)}<a href="/docs">All operations</a></header>
<main id="swagger-ui"></main>
</body>
</html>
`;
}

/**
 * Selectors that are stronger than those of Swagger UI in its dark mode. The document has no links
 * between operations; their column leaves phones no room.
 */
const STYLE = `body, html.dark-mode, html.dark-mode .swagger-ui { margin: 0;
  background: var(--ground); }
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  gap: .5rem 1rem; max-width: 1460px; margin: 0 auto; padding: 1rem 20px; box-sizing: border-box;
  color: var(--text); font: 1rem/1.5 ${PAGE_FONTS}; }
.swagger-ui :is(h1, h2, h3, h4, h5, h6, p, a, li, td, th, label, input, select, button,
  .opblock-summary-description, .opblock-title, .info .title, .tab, .btn, .scheme-container) {
  font-family: ${PAGE_FONTS}; }
.top > a, :root:root .swagger-ui .info a, :root:root .swagger-ui .scopes a,
:root:root .swagger-ui .renderedMarkdown a { color: var(--link); }
.top > a { position: relative; }
.top > a::after { content: ''; position: absolute; inset: -.9rem 0; }
.swagger-ui .response-col_links { display: none; }
:root:root:root .swagger-ui .btn.authorize, :root:root:root .swagger-ui .btn.authorize svg {
  border-color: var(--filled); color: var(--link); }
:root:root:root .swagger-ui .btn.execute { border-color: var(--filled);
  background: var(--filled); color: var(--on-filled); }
:root:root .swagger-ui :focus-visible { outline: 2px solid var(--filled); outline-offset: 2px; }
`;

export const renderExplorerStyle = (look: PageLook): string =>
  FONT_FACES + TOKENS + BRAND_STYLE + STYLE + accentRuleOf(look);

/** The token is kept in the memory of the page only. */
export const EXPLORER_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
// Swagger UI makes each opened operation a step back, but does not follow such steps.
history.pushState = history.replaceState;
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
