/**
 * A provider that answers as Telegram does (https://core.telegram.org/bots/telegram-login): code
 * flow with PKCE, HTTP Basic, neither `nonce` nor address nor userinfo.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const BOT = { id: '4242', secret: 'secret of the bot' };

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly sub: string;
}

export interface TelegramOp {
  readonly issuer: string;
  /** Who is signed in at Telegram: a name of the account for this bot. */
  sub: string;
  /** Members of the metadata that replace the usual ones. */
  metadata: Record<string, unknown>;
  /** Claims that replace the usual ones. */
  claims: Record<string, unknown>;
  /** The parameters of the last authorization request. */
  asked: URLSearchParams;
  visit(authorizationUrl: string): { readonly state: string; readonly code: string };
  close(): Promise<void>;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

/** RFC 6749 2.3.1: both parts are encoded as in a form. */
const PAIR = `${BOT.id}:${BOT.secret.replaceAll(' ', '+')}`;
const BASIC = `Basic ${Buffer.from(PAIR).toString('base64')}`;

function redeem(codes: Map<string, Code>, form: URLSearchParams): Code | undefined {
  const code = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const verifier = form.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const fits = code?.challenge === challenge && code.redirectUri === form.get('redirect_uri');
  return fits ? code : undefined;
}

export async function startTelegramOp(): Promise<TelegramOp> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'oidc-1', use: 'sig', alg: 'RS256' };
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const codes = new Map<string, Code>();
  let count = 0;
  const op: TelegramOp = {
    ...{ issuer, sub: '', metadata: {}, claims: {}, asked: new URLSearchParams() },
    visit(authorizationUrl) {
      op.asked = new URL(authorizationUrl).searchParams;
      const read = (name: string): string => op.asked.get(name) ?? '';
      const code = `code-${++count}`;
      codes.set(code, {
        challenge: read('code_challenge'),
        redirectUri: read('redirect_uri'),
        sub: op.sub,
      });
      return { state: read('state'), code };
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const discovery = () => ({
    ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/.well-known/jwks.json`, response_types_supported: ['code'] },
    ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
    code_challenge_methods_supported: ['S256'],
    ...op.metadata,
  });
  async function answerToken(request: IncomingMessage): Promise<[number, object]> {
    const code = redeem(codes, await readForm(request));
    if (request.headers.authorization !== BASIC) return [401, { error: 'invalid_client' }];
    if (!code) return [400, { error: 'invalid_grant' }];
    const now_s = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: BOT.id, sub: code.sub, iat: now_s, exp: now_s + 300 };
    const id_token = await new SignJWT({ ...claims, ...op.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'oidc-1' })
      .sign(privateKey);
    return [200, { access_token: 'x', token_type: 'Bearer', expires_in: 300, id_token }];
  }
  server.on('request', async (request, response) => {
    const answers: Record<string, () => Promise<[number, object]>> = {
      '/.well-known/openid-configuration': async () => [200, discovery()],
      '/.well-known/jwks.json': async () => [200, { keys: [jwk] }],
      '/token': () => answerToken(request),
    };
    const [status, body] = (await answers[request.url ?? '']?.()) ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return op;
}
