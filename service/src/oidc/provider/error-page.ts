/** What a browser shows where an error cannot be sent to the client: no script, no style, everything escaped. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Language, readLanguage } from '../../lib/language.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

const ENGLISH = {
  tag: 'en',
  title: 'Sign-in stopped',
  misasked: 'The application did not ask for the sign-in in a way that can be answered, or the link is too old. Nothing has happened to your account.',
  busy: 'The service cannot answer right now. Nothing has happened to your account.',
  wayOn: 'Go back to the application and begin again. If it stops here again, tell those who make the application what is written below.',
  reason: 'Technical reason:',
};

const TEXTS: Readonly<Record<Language, typeof ENGLISH>> = {
  en: ENGLISH,
  zh: {
    tag: 'zh-CN',
    title: '登录已中止',
    misasked: '应用的登录请求无法处理，或链接已失效。您的账户没有任何变化。',
    busy: '服务暂时无法响应。您的账户没有任何变化。',
    wayOn: '请返回应用重新开始。如果仍然停在这里，请将以下信息告知应用的提供方。',
    reason: '技术原因：',
  },
};

const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export function errorPage(error: string, description: string, language: Language): string {
  const { tag, title, wayOn, reason, ...leads } = TEXTS[language];
  return `<!doctype html>
<html lang="${tag}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${BUSY.has(error) ? leads.busy : leads.misasked}</p><p>${wayOn}</p>
<p><small>${reason} <span lang="en">${escapeHtml(description)}</span> (<code>${escapeHtml(error)}</code>)</small></p></main></body>
</html>
`;
}

/** The provider's hook: HTML for browsers, JSON for programs. */
export function renderError(ctx: KoaContextWithOIDC, out: { error?: string; error_description?: string }): undefined {
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.type = 'html';
    ctx.body = errorPage(out.error ?? 'error', out.error_description ?? 'The request could not be served.', readLanguage(ctx.get('accept-language')));
  } else ctx.body = out;
}
