/**
 * `GET /docs`: every operation by part of the document, each with a link to where it is tried. The
 * page is complete as it comes; its script only filters.
 */
import { FONT_PRELOAD, FONT_SOURCE } from '../page-font.ts';
import { brandOf, createSheet, escapeHtml, iconOf, type PageLook } from '../page-look.ts';
import { METHODS } from './complete-document.ts';
import { OPERATIONS_STYLE } from './operations-page-files.ts';

/** What the page shows of the OpenAPI document. */
export interface ListedDocument {
  readonly info: { readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ListedOperation>>>>;
}

interface ListedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Where the explorer has it: `#/tag/operation`. */
  readonly fragment: string;
}

interface Part {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

/** Those that are not the name of the tag with a capital letter and spaces. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['sign-in', 'Sign-in'],
  ['openid-connect', 'OpenID Connect'],
  ['operator-audit', 'Operator audit log'],
  ['operations', 'Instances'],
]);

const titleOf = (tag: string): string =>
  TITLES.get(tag) ?? tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

function listRows(document: ListedDocument, tag: string): Row[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { tags }]) => METHODS.has(method) && tags?.[0] === tag)
      .map(([method, { operationId = '', summary = '' }]) => ({
        ...{ method, path, summary },
        fragment: `#/${encodeURIComponent(tag)}/${encodeURIComponent(operationId)}`,
      })),
  );
}

/** In the order of the document; parts without an operation are left out. */
function listParts(document: ListedDocument): Part[] {
  return (document.tags ?? [])
    .map(({ name, description = '' }) => ({
      ...{ name, description, title: titleOf(name) },
      rows: listRows(document, name),
    }))
    .filter(({ rows }) => rows.length > 0);
}

/** The only mark-up that texts of the document have: code in backticks. */
const textOf = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, (_whole, code: string) => `<code>${code}</code>`);

/** A long path breaks before a slash. */
const pathOf = (path: string): string => escapeHtml(path).replaceAll(/(?<!^)\//g, '<wbr>/');

const rowOf = ({ method, path, summary, fragment }: Row): string =>
  `<li><a href="/docs/explorer${escapeHtml(fragment)}"><b class="${method}">` +
  `${method.toUpperCase()}</b> <code>${pathOf(path)}</code> ` +
  `<span>${textOf(summary)}</span></a></li>`;

const sectionOf = ({ name, title, description, rows }: Part): string =>
  `<section id="${escapeHtml(name)}"><h2>${escapeHtml(title)}</h2><p>${textOf(description)}</p>
<ul class="rows">${rows.map(rowOf).join('\n')}</ul></section>`;

const contentsOf = (parts: readonly Part[]): string =>
  `<ul>${parts
    .map(({ name, title, rows }) => {
      const link = `<a href="#${escapeHtml(name)}">${escapeHtml(title)}</a>`;
      return `<li>${link} <small>${rows.length}</small></li>`;
    })
    .join('')}</ul>`;

function introductionOf({ info, servers = [] }: ListedDocument): string {
  const address = servers.map(({ url }) => `<code>${escapeHtml(url)}</code>`).join(', ');
  return `<h1>API</h1>
<p class="lead">${textOf(info.description ?? '')}</p>
<p>Open an operation to see its fields and examples, and to run it with an access token of
yours.</p>
<ul class="facts"><li>Version ${escapeHtml(info.version)}</li><li>At ${address}</li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/docs/explorer">Explorer</a></li></ul>`;
}

const sheetOf = createSheet(OPERATIONS_STYLE);

export interface OperationsPage {
  readonly html: string;
  readonly policy: string;
}

export function renderOperationsPage(look: PageLook, document: ListedDocument): OperationsPage {
  const parts = listParts(document);
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const name = escapeHtml(look.name);
  const { css, source } = sheetOf(look);
  return {
    policy: [
      "default-src 'none'",
      `style-src ${source}`,
      ...FONT_SOURCE,
      "script-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f6f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121614" media="(prefers-color-scheme: dark)">
<meta name="description" content="Every operation of the API of ${name}, to read and to try.">
<title>API · ${name}</title>${iconOf(look, '/docs/static/icon.svg')}
${FONT_PRELOAD}<style>${css}</style>
<script defer src="/docs/static/operations.js"></script></head>
<body><a class="skip" href="#all-operations">Skip to the operations</a>
<header>${brandOf(look)}</header>
<nav aria-label="Parts"><details><summary>Parts of the API</summary>${contentsOf(parts)}</details>
<div class="wide">${contentsOf(parts)}</div></nav>
<main>${introductionOf(document)}
<div class="filter" role="search"><label for="filter">Filter operations</label>
<span id="count" role="status">${count} operations</span>
<input id="filter" type="search" spellcheck="false" autocapitalize="off"></div>
<div id="all-operations" tabindex="-1">
${parts.map(sectionOf).join('\n')}</div></main></body>
</html>
`,
  };
}
