/** An OpenID provider of another operator: `oidc-provider` on loopback, signed in as `person`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface UpstreamPerson {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  amr?: string[];
}

/** The last part of the redirect URI, and the parameters of the callback. */
export interface UpstreamCallback {
  provider: string;
  code: string;
  state: string;
  iss: string;
}

export interface UpstreamOp {
  readonly issuer: string;
  /** Who is signed in at the provider. */
  person: UpstreamPerson;
  /** Signs in as `person`, and returns the parameters of the callback. */
  visit(authorizationUrl: string): Promise<UpstreamCallback>;
  close(): Promise<void>;
}

export const UPSTREAM_SECRET = 'a secret of the upstream client';

function readCookies(headers: Headers, jar: Map<string, string>): void {
  for (const cookie of headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';', 1);
    const at = pair.indexOf('=');
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

const providerOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

function readForm(page: string): UpstreamCallback {
  const read = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const action = / action="([^"]*)"/.exec(page)?.[1] ?? '';
  return {
    provider: providerOf(action),
    code: read('code'),
    state: read('state'),
    iss: read('iss'),
  };
}

/** @param redirectUris of the client `edge` */
export async function startUpstreamOp(...redirectUris: string[]): Promise<UpstreamOp> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const op: Pick<UpstreamOp, 'person'> = { person: { sub: 'unknown' } };
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'edge', client_secret: UPSTREAM_SECRET, redirect_uris: redirectUris }],
    cookies: { keys: ['upstream'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...op.person, sub }) }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    void finish().catch(() => response.destroy());
    async function finish(): Promise<void> {
      const { params } = await provider.interactionDetails(request, response);
      const { sub: accountId, amr } = op.person;
      const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
      grant.addOIDCScope(String(params.scope));
      const login = { accountId, ...(amr && { amr }) };
      await provider.interactionFinished(request, response, {
        login,
        consent: { grantId: await grant.save() },
      });
    }
  });
  return Object.assign(op, {
    issuer,
    async visit(authorizationUrl: string) {
      const jar = new Map<string, string>();
      let url = authorizationUrl;
      while (!redirectUris.some((uri) => url.startsWith(uri))) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        const { headers, status } = response;
        readCookies(headers, jar);
        const location = headers.get('location');
        // Response mode form_post: a page with a form.
        if (location === null && status === 200) return readForm(await response.text());
        if (location === null) throw new Error(`the provider answered ${status}`);
        url = new URL(location, url).href;
      }
      const { searchParams } = new URL(url);
      const read = (name: string): string => searchParams.get(name) ?? '';
      return {
        provider: providerOf(url),
        code: read('code'),
        state: read('state'),
        iss: read('iss'),
      };
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}
