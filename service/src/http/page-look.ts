/** How pages look that the service shows itself: as the console, in the network's brand. */
import { createHash } from 'node:crypto';
import { toPageRule } from '@edge-account/sdk/accent';
import { FONT_FACES, PAGE_FONTS } from './page-font.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

interface PageLogo {
  /** Where this service serves it. */
  readonly path: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** What a page shows of the brand; absent: the service's own. */
export interface PageLook {
  readonly name: string;
  /** `#rrggbb` in lower case. */
  readonly accent?: string;
  readonly logo?: PageLogo;
  /** On dark pages; absent: `logo` on a light plate. */
  readonly darkLogo?: PageLogo;
}

/** Those of `console/src/theme/tokens.css` that these pages use; a test compares them. */
export const TOKENS = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f2, #121614);
  --surface: light-dark(#ffffff, #1a201d);
  --surface-sunken: light-dark(#eeeeea, #0c0f0e);
  --field: light-dark(#ffffff, #1c2320);
  --line: light-dark(#e4e4de, #2a322e);
  --line-strong: light-dark(#8d8f88, #66706a);
  --text: light-dark(#1a1d1b, #e9ece9);
  --dimmed: light-dark(#5f625c, #a2aaa5);
  --failure: light-dark(#b8361b, #f4937d);
  --link: light-dark(#0c7349, #72cfa1);
  --filled: light-dark(#0c7349, #48bf86);
  --filled-hover: light-dark(#085a39, #72cfa1);
  --on-filled: light-dark(#ffffff, #08150e);
  --mark: #0c7349;
  --leaf: #48bf86;
}
`;

/** Of every page: its typeface, links, and the head with the brand. */
const BASE = `*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--ground); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 ${PAGE_FONTS}; }
h1 { margin: 0; font-size: 1.625rem; font-weight: 600; line-height: 1.2;
  letter-spacing: -.015em; text-wrap: balance; }
a { color: var(--link); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--filled); outline-offset: 2px; }
`;

/** The head of a page: logo and name. */
export const BRAND_STYLE = `.brand { display: inline-flex; align-items: center; gap: .6rem;
  min-width: 0; font-weight: 600; letter-spacing: -.01em; }
.brand svg { flex: none; width: 1.9rem; height: 1.9rem; }
.brand rect { fill: var(--mark); }
.brand picture { display: contents; }
.brand img { flex: none; width: auto; max-width: 8rem; height: 1.9rem; object-fit: contain; }
@media (prefers-color-scheme: dark) {
  .brand .plate { box-sizing: border-box; height: 2.2rem; padding: .2rem; border-radius: 8px;
    background: #fff; }
}
`;

const SHAPES =
  '<path d="M16 9.5 9.6 21M16 9.5 22.4 21M11 22.5h10" stroke="#fff" stroke-opacity=".55" ' +
  'stroke-width="1.8"/><circle cx="16" cy="9" r="3.4" fill="#fff"/>' +
  '<circle cx="9.2" cy="22.2" r="2.7" fill="#fff" fill-opacity=".65"/>' +
  '<circle cx="22.8" cy="22.2" r="2.7" fill="#fff" fill-opacity=".65"/>';
const markOf = (attributes: string, rect: string): string =>
  `<svg ${attributes} viewBox="0 0 32 32"><rect width="32" height="32" rx="9" ${rect}/>` +
  `${SHAPES}</svg>`;

/** The mark of the service as a file. */
export const ICON = markOf('xmlns="http://www.w3.org/2000/svg"', 'fill="#0c774c"');

const sizeOf = ({ width, height }: PageLogo): string => `width="${width}" height="${height}"`;

/** The logo of the network in the theme of the page; without one, the mark of the service. */
function signOf({ logo, darkLogo }: PageLook): string {
  if (!logo) return markOf('aria-hidden="true"', '');
  const source = `src="${escapeHtml(logo.path)}" ${sizeOf(logo)} alt=""`;
  if (!darkLogo) return `<img class="plate" ${source}>`;
  return (
    '<picture><source media="(prefers-color-scheme: dark)" ' +
    `srcset="${escapeHtml(darkLogo.path)}" ${sizeOf(darkLogo)}><img ${source}></picture>`
  );
}

/** Logo and name, in the style of `BRAND_STYLE`. */
export function brandOf(look: PageLook): string {
  return `<span class="brand">${signOf(look)}<span>${escapeHtml(look.name)}</span></span>`;
}

/**
 * The icon of a page is its logo, so that it is no further request.
 * @param own that of a page without a logo; absent: none
 */
export function iconOf({ logo }: PageLook, own?: string): string {
  const path = logo?.path ?? own;
  return path === undefined ? '' : `<link rel="icon" href="${escapeHtml(path)}">`;
}

/** The rule that replaces the accent of `TOKENS` by that of the network. */
export function accentRuleOf({ accent }: PageLook): string {
  return accent === undefined ? '' : toPageRule(accent);
}

export interface Sheet {
  readonly css: string;
  /** What a Content-Security-Policy calls it. */
  readonly source: string;
}

/** The style sheet of a kind of page; kept until the accent changes. */
export function createSheet(style: string): (look: PageLook) => Sheet {
  let kept: (Sheet & { readonly accent: string | undefined }) | undefined;
  return (look) => {
    if (kept && kept.accent === look.accent) return kept;
    const css = FONT_FACES + TOKENS + BASE + BRAND_STYLE + style + accentRuleOf(look);
    const digest = createHash('sha256').update(css).digest('base64');
    kept = { accent: look.accent, css, source: `'sha256-${digest}'` };
    return kept;
  };
}
