/** Pages that the service shows itself: no script, one style sheet, everything escaped. */
import { FONT_PRELOAD, FONT_SOURCE } from './page-font.ts';
import { brandOf, createSheet, escapeHtml, iconOf, type PageLook } from './page-look.ts';

const sheetOf = createSheet(`body { min-height: 100dvh; display: grid; place-content: center;
  justify-items: center; gap: 1.25rem; padding: 1.5rem; }
main { max-width: 30rem; padding: 1.5rem; border: 1px solid var(--line); border-radius: 18px;
  background: var(--surface); }
main > :last-child { margin-bottom: 0; }
main > p > a:only-child { position: relative; }
main > p > a:only-child::after { content: ''; position: absolute; inset: -.9rem 0; }
small { color: var(--dimmed); }
button { font: inherit; display: block; width: 100%; margin-top: .75rem; padding: .6rem 1rem;
  border: 1px solid var(--filled); border-radius: 10px; background: none; color: inherit;
  cursor: pointer; }
button[name] { background: var(--filled); color: var(--on-filled); font-weight: 500; }
button[name]:hover { background: var(--filled-hover); }
`);

interface Frame {
  readonly tag: string;
  readonly direction: string;
  readonly title: string;
  /** Where forms may lead, redirects of their answers included. */
  readonly formTargets?: readonly string[];
}

export interface HtmlPage {
  readonly html: string;
  /** Lets a browser take style sheet, typeface and logo of the page, and nothing else. */
  readonly policy: string;
}

/** @param main HTML, escaped by the caller */
export function htmlPage(look: PageLook, frame: Frame, main: string): HtmlPage {
  const { tag, direction, title, formTargets = ["'none'"] } = frame;
  const { css, source } = sheetOf(look);
  return {
    html: `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${escapeHtml(look.name)}</title>${iconOf(look)}${FONT_PRELOAD}
<style>${css}</style></head>
<body><header>${brandOf(look)}</header><main><h1>${title}</h1>${main}</main></body>
</html>
`,
    policy: [
      "default-src 'none'",
      `style-src ${source}`,
      ...FONT_SOURCE,
      ...(look.logo ? ["img-src 'self'"] : []),
      "base-uri 'none'",
      `form-action ${formTargets.join(' ')}`,
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
