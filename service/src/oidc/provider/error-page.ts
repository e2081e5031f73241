/**
 * What a browser shows where an error cannot be sent to the client: no script, one style sheet of
 * its own, everything escaped.
 */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, htmlPage, pagePolicy } from '../../http/index.ts';
import { type Language, readLanguage, textsOf } from '../../lib/language.ts';

export const ERROR_PAGE_POLICY = pagePolicy();

const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export function errorPage(error: string, description: string, language: Language): string {
  const texts = textsOf(language);
  const { title, nextStep, reason, home, busy, invalidRequest } = texts.errorPage;
  return htmlPage(
    { ...texts, title },
    `<p>${BUSY.has(error) ? busy : invalidRequest}</p>
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
