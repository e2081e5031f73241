/**
 * The steps of an authorization code flow in browser and authorization page, over plain HTTP.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/**
 * A browser that stores cookies by path, follows no redirect, and returns each response.
 */
export function createBrowser(baseUrl: string) {
  const jar: { name: string; value: string; path: string }[] = [];
  return {
    baseUrl,
    jar,
    async get(
      url: string,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; location: string; text: string; headers: Headers }> {
      const { pathname } = new URL(url, baseUrl);
      const cookies = jar.filter(
        ({ path }) =>
          pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
      );
      const response = await fetch(new URL(url, baseUrl), {
        redirect: 'manual',
        headers: {
          ...headers,
          ...(cookies.length > 0 && {
            cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
          }),
        },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = cookie.split('; ');
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/';
        const known = jar.findIndex((entry) => entry.name === name && entry.path === path);
        if (known >= 0) jar.splice(known, 1);
        if (value !== '') jar.push({ name, value, path });
      }
      return {
        status: response.status,
        location: response.headers.get('location') ?? '',
        text: await response.text(),
        headers: response.headers,
      };
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;

/** The address of an authorization request. */
export function authorizeUrl(parameters: Record<string, string>, pkce: Pkce): string {
  const query = new URLSearchParams({
    response_type: 'code',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...parameters,
  });
  return `/oauth2/authorize?${query}`;
}

interface Decision {
  readonly decision?: 'allow' | 'deny';
  readonly scopes?: readonly string[];
}

/**
 * The authorization page: decides with the user's access token and returns the next URL.
 */
export async function decide(
  baseUrl: string,
  accessToken: string,
  interactionId: string,
  { decision = 'allow', scopes }: Decision = {},
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth2/authorize/consent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ interaction_id: interactionId, decision, ...(scopes && { scopes }) }),
  });
  if (response.status !== 200)
    throw new Error(`consent: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { redirect_to: string }).redirect_to;
}

/** A whole flow up to the client's redirect; returns its parameters. */
export async function runToRedirect(
  browser: Browser,
  accessToken: string,
  parameters: Record<string, string>,
  pkce: Pkce,
): Promise<URLSearchParams> {
  const begun = await browser.get(authorizeUrl(parameters, pkce));
  const interactionId = new URL(begun.location).searchParams.get('interaction_id');
  if (interactionId === null) return new URL(begun.location).searchParams;
  const ended = await browser.get(await decide(browser.baseUrl, accessToken, interactionId));
  return new URL(ended.location).searchParams;
}

/** Calls the token endpoint. */
export async function askToken(
  baseUrl: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
