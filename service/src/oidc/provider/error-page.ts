/**
 * What a browser shows where an error cannot be sent to the client: no script, one style sheet of
 * its own, everything escaped.
 */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Language, readLanguage } from '../../lib/language.ts';
import { escapeHtml, htmlPage, pagePolicy } from './html-page.ts';

const ENGLISH = {
  tag: 'en',
  title: 'The request cannot be answered',
  invalidRequest:
    'The application sent a request that is not valid, or the link is too old. Nothing has ' +
    'happened to your account.',
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
    title: '无法处理该请求',
    invalidRequest: '应用发送的请求无效，或链接已失效。您的账户没有任何变化。',
    busy: '服务暂时无法响应。您的账户没有任何变化。',
    nextStep: '请返回应用重新开始。如果仍然停在这里，请将以下信息告知应用的提供方。',
    reason: '技术原因：',
    home: '前往您的账户',
  },
};

export const ERROR_PAGE_POLICY = pagePolicy();

const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export function errorPage(error: string, description: string, language: Language): string {
  const { tag, title, nextStep, reason, home, ...leads } = TEXTS[language];
  return htmlPage(
    { tag, title },
    `<p>${BUSY.has(error) ? leads.busy : leads.invalidRequest}</p>
<p>${nextStep}</p><p><a href="/">${home}</a></p>
<p><small>${reason} <span lang="en">${escapeHtml(description)}</span>
(<code>${escapeHtml(error)}</code>)</small></p>`,
  );
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
