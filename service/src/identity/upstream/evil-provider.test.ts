/** A provider that lies: its ID tokens, its metadata, and mix-up with another provider. */
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EvilOp, startEvilOp } from '../../../test/support/evil-op.ts';
import { createEvilSignIn, type EvilSignIn } from '../../../test/support/evil-sign-in.ts';

const HOUR_MS = 3_600_000;

let evil: EvilSignIn;
let op: EvilOp;

beforeAll(async () => {
  evil = await createEvilSignIn();
  op = evil.op;
});
afterAll(() => evil.close());
afterEach(() => {
  Object.assign(op, { metadata: {}, claims: {}, makeToken: op.sign });
  op.answers.clear();
  // The metadata are read again.
  evil.server.clock.advance(HOUR_MS);
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const withSignature = async (claims: Record<string, unknown>, signature: string) =>
  (await op.sign(claims)).replace(/[^.]*$/, signature);

describe('ID tokens', () => {
  const now_s = Math.floor(Date.now() / 1000);
  const EMAIL = { email: 'ada@example.test', email_verified: true };

  test('of the provider are taken', async () => {
    op.claims = EMAIL;
    expect((await evil.signIn()).answer.json().next).toBe('registration');
  });

  test.each<[string, EvilOp['makeToken']]>([
    ['none', async (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    ['an empty signature', (claims) => withSignature(claims, '')],
    ['a made up signature', (claims) => withSignature(claims, 'A'.repeat(342))],
    [
      'the secret of the client',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode('secret')),
    ],
    [
      'another key of the same name',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .sign((await generateKeyPair('RS256')).privateKey),
    ],
  ])('signed with %s are refused', async (_name, makeToken) => {
    Object.assign(op, { claims: EMAIL, makeToken });
    expect((await evil.signIn()).answer.json()).toMatchObject({ code: 'upstream_refused' });
  });

  test.each([
    { iss: 'https://accounts.example.test' },
    { aud: 'other' },
    { aud: ['edge', 'other'] },
    { aud: ['edge', 'other'], azp: 'other' },
    { nonce: 'other' },
    { nonce: undefined },
    { exp: now_s - HOUR_MS / 1000 },
    { nbf: now_s + HOUR_MS / 1000 },
    { sub: undefined },
    { sub: '' },
    { sub: 5 },
    { sub: 'evil\n' },
    { sub: 'x'.repeat(10_240) },
  ])('with %o are refused', async (claims) => {
    op.claims = { ...EMAIL, ...claims };
    expect((await evil.signIn()).answer.json()).toMatchObject({ code: 'upstream_refused' });
  });

  test.each([
    { email_verified: 1 },
    { email_verified: 'TRUE' },
    { email_verified: ['true'] },
    { email: ['ada@example.test'] },
    { email: 'ada@example.test\r\nBcc: eve@example.test' },
    { email: 'ada@example.test,eve@example.test' },
    // The Kelvin sign is a lower-case k to some.
    { email: '\u212a@example.test' },
  ])('with %o name no verified address', async (claims) => {
    op.claims = { ...EMAIL, ...claims };
    expect((await evil.signIn()).answer.json()).toMatchObject({
      code: 'upstream_email_unverified',
    });
  });
});

describe('metadata', () => {
  test.each(['javascript:alert(1)//', 'data:text/html,x', '/authorize', undefined])(
    'with %s as the address of the sign-in',
    async (authorization_endpoint) => {
      op.metadata = { authorization_endpoint };
      const { url } = await evil.start();
      expect(JSON.parse(url)).toMatchObject({ status: 503, code: 'upstream_unreachable' });
    },
  );

  test('of another issuer are not taken, wherever they are', async () => {
    const victim = 'https://accounts.example.test';
    op.metadata = { issuer: victim };
    expect(JSON.parse((await evil.start()).url)).toMatchObject({ code: 'upstream_unreachable' });
    // An address of metadata that was given as the issuer.
    const path = '/.well-known/evil';
    await evil.setUp({ id: 'path', issuer: `${op.issuer}${path}` });
    op.answers.set(path, (response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: victim,
          authorization_endpoint: `${op.issuer}/authorize`,
          token_endpoint: `${op.issuer}/token`,
        }),
      );
    });
    expect(JSON.parse((await evil.start('path')).url)).toMatchObject({
      code: 'upstream_unreachable',
    });
  });

  test.each([
    'https://10.0.0.1/token',
    'http://169.254.169.254/latest/meta-data',
    'http://example.com/token',
  ])('that later name %s are not followed', async (token_endpoint) => {
    op.metadata = { token_endpoint };
    const { answer } = await evil.signIn();
    expect(answer.json()).toMatchObject({ code: 'upstream_unreachable' });
  });
});

describe('userinfo', () => {
  const EMAIL = { email: 'ada@example.test', email_verified: true };
  const answer = (claims: object) => {
    op.metadata = { userinfo_endpoint: `${op.issuer}/userinfo` };
    op.answers.set('/userinfo', (response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(claims));
    });
  };

  test('has the address that the ID token leaves out', async () => {
    answer({ sub: 'evil', ...EMAIL });
    expect((await evil.signIn()).answer.json()).toMatchObject({ next: 'registration' });
  });

  test('of another subject is refused', async () => {
    answer({ sub: 'other', ...EMAIL });
    expect((await evil.signIn()).answer.json()).toMatchObject({ code: 'upstream_refused' });
  });

  test('changes nothing that the ID token says', async () => {
    answer({ sub: 'evil', ...EMAIL });
    op.claims = { email: 'eve@example.test', email_verified: false };
    expect((await evil.signIn()).answer.json()).toMatchObject({
      code: 'upstream_email_unverified',
    });
    op.claims = { email_verified: false };
    expect((await evil.signIn()).answer.json()).toMatchObject({
      code: 'upstream_email_unverified',
    });
  });
});

describe('answers of the token endpoint', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };

  test('a server error is no refusal of the user', async () => {
    for (const headers of [JSON_TYPE, {}]) {
      op.answers.set('/token', (response) =>
        response.writeHead(503, headers).end('{"error":"server_error"}'),
      );
      expect((await evil.signIn()).answer.json()).toMatchObject({ code: 'upstream_unreachable' });
    }
  });

  test.each<[string, Parameters<EvilOp['answers']['set']>[1]]>([
    ['a refusal', (response) => response.writeHead(400, JSON_TYPE).end('{"error":"bad"}')],
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['half of an object', (response) => response.writeHead(200, JSON_TYPE).end('{"id_token":')],
    ['deep arrays', (response) => response.writeHead(200, JSON_TYPE).end('['.repeat(60_000))],
    ['nothing', (response) => response.writeHead(204).end()],
    [
      'a bomb',
      (response) =>
        response
          .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
          .end(Buffer.alloc(60_000)),
    ],
  ])('%s', async (_name, answer) => {
    op.answers.set('/token', answer);
    expect((await evil.signIn()).answer.json()).toMatchObject({
      status: 401,
      code: 'upstream_refused',
    });
  });

  test.each<[string, Parameters<EvilOp['answers']['set']>[1]]>([
    ['a redirect', (response) => response.writeHead(307, { location: `${op.issuer}/x` }).end()],
    ['too much', (response) => response.writeHead(200, JSON_TYPE).end(' '.repeat(100_000))],
    ['no answer', (response) => response.destroy()],
  ])('%s', async (_name, answer) => {
    op.answers.set('/token', answer);
    expect((await evil.signIn()).answer.json()).toMatchObject({
      status: 503,
      code: 'upstream_unreachable',
    });
    expect(op.requests).not.toContain('POST /x ');
  });
});

test('mix-up: a code of an honest provider never reaches the evil one', async () => {
  const honest = await startEvilOp();
  await evil.setUp({ id: 'honest', issuer: honest.issuer });
  // The victim chooses the evil provider, which sends the browser to the honest one.
  const victim = await evil.start('evil');
  const redirectUri = (url: string) => new URL(url).searchParams.get('redirect_uri');
  const attacker = await evil.start('honest');
  expect(redirectUri(victim.url)).not.toBe(redirectUri(attacker.url));
  // The honest provider returns to its own address only, with the state of the evil one, and with a
  // code for the nonce and the challenge of the attacker.
  const { code } = honest.visit(attacker.url);
  const state = new URL(victim.url).searchParams.get('state') ?? '';
  op.requests.length = 0;
  const answer = await evil.finish({ provider: 'honest', state, code }, victim.cookie);
  expect(answer.json()).toMatchObject({ status: 401, code: 'invalid_ticket' });
  expect(op.requests).toEqual([]);
  await honest.close();
});
