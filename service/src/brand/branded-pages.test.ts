/** The brand on the pages that the service shows itself, as a stranger meets them. */
import { createHash } from 'node:crypto';
import { createAccentShades } from '@edge-account/sdk/accent';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/support/browser-flow.ts';
import { pngOf } from '../../test/support/images.ts';
import { type OidcKit, openOidcKit } from '../../test/support/oidc-fixture.ts';

const ACCENT = '#fff3b0';
const ACME = {
  name: 'Acme & Co',
  accent: ACCENT,
  logo: pngOf(96, 48).toString('base64'),
  dark_logo: pngOf(48, 48, 0xff_f3_b0).toString('base64'),
};
const PAGES = [
  ['of an error', '/oauth2/authorize?client_id=unknown', 'The request cannot be answered'],
  ['of a link that was not made here', '/oauth2/authorize/unknown', 'The request cannot be'],
  ['of a refused logout', '/oauth2/logout?id_token_hint=x', 'The request cannot be answered'],
  ['that asks before a logout', '/oauth2/logout', 'asks to sign you out'],
  ['after a logout', '/oauth2/logout/success', 'You are signed out'],
  ['that ends mails', '/unsubscribe?token=x', 'mail'],
] as const;

let kit: OidcKit;
let admin: string;
/** Of a person who is signed in: others are not asked before a logout. */
let browser: Browser;
beforeAll(async () => {
  kit = await openOidcKit('embedded');
  admin = await kit.tokens.operator('operator:brand');
  ({ browser } = await kit.newCode());
});
afterAll(() => kit.stop());
afterEach(() => put({ logo: null }));

async function put(brand: object): Promise<void> {
  const answer = await fetch(`${kit.baseUrl}/operator/brand`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify(brand),
  });
  expect(answer.status).toBe(200);
}

async function open(path: string) {
  const { headers, text: html } = await browser.get(path, { accept: 'text/html' });
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  const [css = '', ...others] = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, found]) => found,
  );
  expect(others).toEqual([]);
  const hash = createHash('sha256').update(css).digest('base64');
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).toContain("default-src 'none'");
  expect(html).not.toMatch(/<script|\bstyle=|javascript:/);
  expect(policy).toContain("font-src 'self'");
  const [font = ''] = html.match(/<link rel="preload" as="font" [^>]*>/) ?? [];
  expect(font).toMatch(/ href="\/assets\/inter-[\w-]+\.woff2">$/);
  // Every page has the typeface; what it shows of a brand is the rest.
  return { html: html.replace(font, ''), css, policy };
}

describe.each(PAGES)('the page %s', (_name, path, text) => {
  test('has accent, name and logo of the network, and asks for nothing else', async () => {
    await put(ACME);
    const { html, css, policy } = await open(path);
    expect(html).toContain(text);
    expect(html).toContain('<span>Acme &amp; Co</span>');
    expect(html).toMatch(/<title>[^<]+ · Acme &amp; Co<\/title>/);
    const { light, dark } = createAccentShades(ACCENT);
    expect(css).toContain(`--filled:light-dark(${light.filled}, ${dark.filled})`);
    expect(policy).toContain("img-src 'self'");
    const asked = [...html.matchAll(/(?:src|srcset)="([^"]+)"|<link [^>]*href="([^"]+)"/g)].map(
      ([, image, icon]) => image ?? icon ?? '',
    );
    expect(new Set(asked).size).toBe(2);
    for (const image of asked) {
      const answer = await fetch(kit.baseUrl + image);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });

  test('without a brand is as the service looks', async () => {
    const { html, css, policy } = await open(path);
    expect(html).toContain('<span>Edge Account</span>');
    expect(css).not.toContain(':root:root');
    expect(policy.join()).not.toContain('img-src');
    expect(html).not.toMatch(/<(img|link|source)\b/);
  });
});

test('attack: a name does not leave the place where a page has it', async () => {
  await put({ name: `$& $' & $1` });
  for (const [, path] of PAGES) {
    const { html } = await open(path);
    expect(html).toContain('<span>$&amp; $&#39; &amp; $1</span>');
    expect(html.match(/<\/(head|header|main|body)>/g)).toHaveLength(4);
  }
});
