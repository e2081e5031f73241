/** Pages that the service shows itself: no script, one style sheet, everything escaped. */
import { createHash } from 'node:crypto';

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

/** In the colours of the console, which these pages do without. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box;background:light-dark(#f6f6f2,#121614);
color:light-dark(#1a1d1b,#e9ece9);
font:1rem/1.55 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC',
'Microsoft YaHei','Noto Sans SC',sans-serif}
main{max-width:30rem;padding:1.5rem;border:1px solid light-dark(#e4e4de,#2a322e);border-radius:18px;
background:light-dark(#fff,#1a201d);overflow-wrap:anywhere}
h1{margin:0;font-size:1.625rem;line-height:1.2}
a{color:light-dark(#0c7349,#72cfa1)}
small{color:light-dark(#5f625c,#a2aaa5)}
button{font:inherit;display:block;width:100%;margin-top:.75rem;padding:.6rem 1rem;cursor:pointer;
border:1px solid light-dark(#0c7349,#72cfa1);border-radius:10px;background:none;color:inherit}
button[name]{background:light-dark(#0c7349,#72cfa1);color:light-dark(#fff,#121614)}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Lets a browser take that style sheet and nothing else.
 * @param formTargets where forms may lead, redirects of their answers included
 */
export function pagePolicy(formTargets: readonly string[] = ["'none'"]): string {
  return (
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
    `form-action ${formTargets.join(' ')}; frame-ancestors 'none'`
  );
}

interface Frame {
  readonly tag: string;
  readonly direction: string;
  readonly title: string;
}

/** @param main HTML, escaped by the caller */
export function htmlPage({ tag, direction, title }: Frame, main: string): string {
  return `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${main}</main></body>
</html>
`;
}
