/**
 * What a browser shows where an error cannot be sent to the client: no script, one style sheet of
 * its own, everything escaped.
 */
import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Language, readLanguage } from '../../lib/language.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

const ENGLISH = {
  tag: 'en',
  title: 'Sign-in stopped',
  invalidRequest:
    'The application did not ask for the sign-in in a way that can be answered, or the ' +
    'link is too old. Nothing has happened to your account.',
  busy: 'The service cannot answer right now. Nothing has happened to your account.',
  nextStep:
    'Go back to the application and begin again. If it stops here again, tell those who ' +
    'make the application what is written below.',
  reason: 'Technical reason:',
  home: 'Go to your account',
};

const TEXTS: Readonly<Record<Language, typeof ENGLISH>> = {
  en: ENGLISH,
  zh: {
    tag: 'zh-CN',
    title: '登录已中止',
    invalidRequest: '应用的登录请求无法处理，或链接已失效。您的账户没有任何变化。',
    busy: '服务暂时无法响应。您的账户没有任何变化。',
    nextStep: '请返回应用重新开始。如果仍然停在这里，请将以下信息告知应用的提供方。',
    reason: '技术原因：',
    home: '前往您的账户',
  },
};

/** In the colours of the console, which this page does without. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box;background:light-dark(#f6f6f2,#121614);
color:light-dark(#1a1d1b,#e9ece9);
font:1rem/1.55 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC',
'Microsoft YaHei','Noto Sans SC',sans-serif}
main{max-width:30rem;padding:1.5rem;border:1px solid light-dark(#e4e4de,#2a322e);border-radius:18px;
background:light-dark(#fff,#1a201d);overflow-wrap:anywhere}
h1{margin:0;font-size:1.625rem;line-height:1.2}
a{color:light-dark(#0c7349,#72cfa1)}
small{color:light-dark(#5f625c,#a2aaa5)}`;

/** Lets a browser take that style sheet and nothing else. */
export const ERROR_PAGE_POLICY =
  "default-src 'none'; style-src " +
  `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'";

const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export function errorPage(error: string, description: string, language: Language): string {
  const { tag, title, nextStep, reason, home, ...leads } = TEXTS[language];
  return `<!doctype html>
<html lang="${tag}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${BUSY.has(error) ? leads.busy : leads.invalidRequest}</p>
<p>${nextStep}</p><p><a href="/">${home}</a></p>
<p><small>${reason} <span lang="en">${escapeHtml(description)}</span>
(<code>${escapeHtml(error)}</code>)</small></p></main></body>
</html>
`;
}

/** The provider's hook: HTML for browsers, JSON for programs. */
export function renderError(
  ctx: KoaContextWithOIDC,
  out: { error?: string; error_description?: string },
): undefined {
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.type = 'html';
    ctx.set('content-security-policy', ERROR_PAGE_POLICY);
    ctx.body = errorPage(
      out.error ?? 'error',
      out.error_description ?? 'The request could not be served.',
      readLanguage(ctx.get('accept-language')),
    );
  } else ctx.body = out;
}
