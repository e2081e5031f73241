/** An OpenID provider whose every answer a test chooses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface EvilOp {
  readonly issuer: string;
  /** Members of the metadata that replace the usual ones. */
  metadata: Record<string, unknown>;
  /** Claims of the next ID token that replace the usual ones; undefined leaves one out. */
  claims: Record<string, unknown>;
  /** Makes the ID token of the claims; default: signed with the published key. */
  makeToken: (claims: Record<string, unknown>) => Promise<string>;
  /** What is answered at a path instead. */
  readonly answers: Map<string, (response: ServerResponse, body: string) => unknown>;
  /** The requests to it: method, path, body. */
  readonly requests: string[];
  /** Claims, signed with the published key. */
  readonly sign: (claims: Record<string, unknown>) => Promise<string>;
  /** Where it sends the browser of an authorization request back, and with what. */
  visit(authorizationUrl: string): { readonly state: string; readonly code: string };
  close(): Promise<void>;
}

const json = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function createKeys() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const sign = (claims: Record<string, unknown>): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  return { jwk, sign };
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

export async function startEvilOp(): Promise<EvilOp> {
  const { jwk, sign } = await createKeys();
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Nonces of the codes that were handed out. */
  const nonces = new Map<string, string>();
  const op: EvilOp = {
    issuer,
    metadata: {},
    claims: {},
    makeToken: sign,
    answers: new Map(),
    requests: [],
    sign,
    visit(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      const code = `code-${nonces.size}`;
      nonces.set(code, searchParams.get('nonce') ?? '');
      return { state: searchParams.get('state') ?? '', code };
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  async function answerToken(response: ServerResponse, body: string): Promise<void> {
    const code = new URLSearchParams(body).get('code') ?? '';
    const now_s = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: 'edge', sub: 'evil', iat: now_s, exp: now_s + 300 };
    const claims = { ...usual, nonce: nonces.get(code), ...op.claims };
    const id_token = await op.makeToken(claims);
    json(response, { access_token: 'x', token_type: 'Bearer', id_token });
  }
  server.on('request', async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    const body = await readBody(request);
    op.requests.push(`${request.method} ${pathname} ${body}`);
    const own = op.answers.get(pathname);
    if (own) own(response, body);
    else if (pathname === '/.well-known/openid-configuration')
      json(response, { ...metadataOf(issuer), ...op.metadata });
    else if (pathname === '/jwks') json(response, { keys: [jwk] });
    else if (pathname === '/token') await answerToken(response, body);
    else response.writeHead(404).end();
  });
  return op;
}
