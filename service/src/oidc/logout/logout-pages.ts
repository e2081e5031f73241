/** Pages of a logout that an application asked for (OpenID Connect RP-Initiated Logout 1.0). */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Language, readLanguage } from '../../lib/language.ts';
import { escapeHtml, htmlPage, pagePolicy } from '../provider/html-page.ts';

const ENGLISH = {
  tag: 'en',
  title: 'Sign out?',
  asks: '%s asks to sign you out.',
  someone: 'An application asks to sign you out.',
  all: 'Sign out of your account',
  allMeans: 'This ends your session in this browser, and in every application that it opened.',
  one: 'Stay signed in to your account',
  doneTitle: 'You are signed out',
  done: 'You can close this window.',
  stayedTitle: 'You are still signed in to your account',
  home: 'Go to your account',
};

const TEXTS: Readonly<Record<Language, typeof ENGLISH>> = {
  en: ENGLISH,
  zh: {
    tag: 'zh-CN',
    title: '退出登录？',
    asks: '“%s”请求退出您的登录。',
    someone: '某个应用请求退出您的登录。',
    all: '退出您的账户',
    allMeans: '此浏览器中的会话，以及由它登录的所有应用的会话，都将结束。',
    one: '保持账户登录',
    doneTitle: '您已退出登录',
    done: '您可以关闭此窗口。',
    stayedTitle: '您的账户仍处于登录状态',
    home: '前往您的账户',
  },
};

function textsFor(ctx: KoaContextWithOIDC): typeof ENGLISH {
  const locales = ctx.oidc.params?.ui_locales;
  const wanted = typeof locales === 'string' ? locales.replaceAll(' ', ',') : undefined;
  return TEXTS[readLanguage(wanted ?? ctx.get('accept-language'))];
}

/** What a page's policy calls the place of a URI: its origin, or the scheme of a native app. */
function targetOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

/** Asks the user; `form` is the library's, with its protection against forgery. */
export function renderLogoutPage(ctx: KoaContextWithOIDC, form: string): undefined {
  const texts = textsFor(ctx);
  const { client, params } = ctx.oidc;
  const back = params?.post_logout_redirect_uri;
  const name = client?.clientName;
  const asks = name === undefined ? texts.someone : texts.asks.replace('%s', () => name);
  // Browsers apply the policy of the form's page to the redirect that answers it, too.
  const targets = ["'self'", ...(typeof back === 'string' ? [targetOf(back)] : [])];
  ctx.set('content-security-policy', pagePolicy(targets));
  ctx.body = htmlPage(
    texts,
    `<p>${escapeHtml(asks)}</p><p>${texts.allMeans}</p>${form}
<button form="op.logoutForm" type="submit" name="logout" value="yes">${texts.all}</button>
<button form="op.logoutForm" type="submit">${texts.one}</button>`,
  );
}

/** After a logout that leads nowhere else. `client_id` comes only where the user stayed. */
export function renderAfterLogout(ctx: KoaContextWithOIDC): undefined {
  const texts = textsFor(ctx);
  const isSignedIn = ctx.oidc.params?.client_id !== undefined;
  ctx.type = 'html';
  ctx.set('content-security-policy', pagePolicy());
  ctx.body = htmlPage(
    { tag: texts.tag, title: isSignedIn ? texts.stayedTitle : texts.doneTitle },
    isSignedIn ? `<p><a href="/">${texts.home}</a></p>` : `<p>${texts.done}</p>`,
  );
}
