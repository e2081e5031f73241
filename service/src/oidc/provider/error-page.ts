/**
 * What a browser shows where an error cannot be sent to the client: no script, one style sheet of
 * its own, everything escaped.
 */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, type HtmlPage, htmlPage, type PageLook } from '../../http/index.ts';
import { type Language, readLanguage, textsOf } from '../../lib/language.ts';

const BUSY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export interface ShownError {
  readonly error: string;
  readonly description: string;
}

export function errorPage(
  look: PageLook,
  { error, description }: ShownError,
  language: Language,
): HtmlPage {
  const texts = textsOf(language);
  const { title, nextStep, reason, home, busy, invalidRequest } = texts.errorPage;
  return htmlPage(
    look,
    { ...texts, title },
    `<p>${BUSY.has(error) ? busy : invalidRequest}</p>
<p>${nextStep}</p><p><a href="/">${home}</a></p>
<p><small>${reason} <span lang="en">${escapeHtml(description)}</span>
(<code>${escapeHtml(error)}</code>)</small></p>`,
  );
}

/** The provider's hook: HTML for browsers, JSON for programs. */
export function renderError(
  look: PageLook,
  ctx: KoaContextWithOIDC,
  out: { error?: string; error_description?: string },
): undefined {
  if (ctx.accepts('json', 'html') === 'html') {
    const { error = 'error', error_description: description } = out;
    const shown = { error, description: description ?? 'The request could not be served.' };
    const { html, policy } = errorPage(look, shown, readLanguage(ctx.get('accept-language')));
    ctx.type = 'html';
    ctx.set('content-security-policy', policy);
    ctx.body = html;
  } else ctx.body = out;
}
