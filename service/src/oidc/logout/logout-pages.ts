/** Pages of a logout that an application asked for (OpenID Connect RP-Initiated Logout 1.0). */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml, type HtmlPage, htmlPage, type PageLook } from '../../http/index.ts';
import { readLanguage, textsOf } from '../../lib/language.ts';
import type { Texts } from '../../lib/texts/types.ts';

function textsFor(ctx: KoaContextWithOIDC): Texts {
  const locales = ctx.oidc.params?.ui_locales;
  const wanted = typeof locales === 'string' ? locales.replaceAll(' ', ',') : undefined;
  return textsOf(readLanguage(wanted ?? ctx.get('accept-language')));
}

/** What a page's policy calls the place of a URI: its origin, or the scheme of a native app. */
function targetOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

function send(ctx: KoaContextWithOIDC, { html, policy }: HtmlPage): undefined {
  ctx.type = 'html';
  ctx.set('content-security-policy', policy);
  ctx.body = html;
}

/** Asks the user; `form` is the library's, with its protection against forgery. */
export function renderLogoutPage(look: PageLook, ctx: KoaContextWithOIDC, form: string): undefined {
  const texts = textsFor(ctx);
  const { title, asks, someone, allMeans, all, one } = texts.logoutPage;
  const { client, params } = ctx.oidc;
  const back = params?.post_logout_redirect_uri;
  const name = client?.clientName;
  const question = name === undefined ? someone : asks.replace('{client}', () => name);
  // Browsers apply the policy of the form's page to the redirect that answers it, too.
  const formTargets = ["'self'", ...(typeof back === 'string' ? [targetOf(back)] : [])];
  const page = htmlPage(
    look,
    { ...texts, title, formTargets },
    `<p>${escapeHtml(question)}</p><p>${allMeans}</p>${form}
<button form="op.logoutForm" type="submit" name="logout" value="yes">${all}</button>
<button form="op.logoutForm" type="submit">${one}</button>`,
  );
  send(ctx, page);
}

/** After a logout that leads nowhere else. `client_id` comes only where the user stayed. */
export function renderAfterLogout(look: PageLook, ctx: KoaContextWithOIDC): undefined {
  const texts = textsFor(ctx);
  const { stayedTitle, doneTitle, home, done } = texts.logoutPage;
  const isSignedIn = ctx.oidc.params?.client_id !== undefined;
  const page = htmlPage(
    look,
    { ...texts, title: isSignedIn ? stayedTitle : doneTitle },
    isSignedIn ? `<p><a href="/">${home}</a></p>` : `<p>${done}</p>`,
  );
  send(ctx, page);
}
