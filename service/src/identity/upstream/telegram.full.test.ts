/** Sign-in with a Telegram account, which knows no address and returns no nonce. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEvilSignIn, type EvilSignIn, PAGE } from '../../../test/support/evil-sign-in.ts';
import type { SignedIn } from '../../../test/support/identity-server.ts';
import { BOT, startTelegramOp, type TelegramOp } from '../../../test/support/telegram-op.ts';

const HOUR_MS = 3_600_000;
let kit: EvilSignIn;
let op: TelegramOp;
let accounts = 0;

beforeAll(async () => {
  kit = await createEvilSignIn();
  op = await startTelegramOp();
  await kit.setUp({
    ...{ id: 'telegram', label: 'Telegram', issuer: op.issuer, clientId: BOT.id },
    ...{ credential: { secret: BOT.secret }, scopes: ['openid'], sendsNonce: false },
  });
});
afterAll(async () => {
  await op.close();
  await kit.close();
});
beforeEach(() => {
  Object.assign(op, { sub: `telegram-${++accounts}`, metadata: {}, claims: {} });
  // The metadata are read again.
  kit.server.clock.advance(HOUR_MS);
});

const begin = () => kit.start('telegram');
async function signIn() {
  const { url, cookie } = await begin();
  return { cookie, answer: await kit.finish({ provider: 'telegram', ...op.visit(url) }, cookie) };
}

/** A user with a fresh proof, in a browser of its own. */
const newOwner = async (): Promise<SignedIn> => kit.server.signIn(await kit.server.register());

async function startLink({ headers }: SignedIn) {
  const started = await kit.server.post(
    '/me/upstream-identities/start',
    { provider: 'telegram' },
    { ...headers, ...PAGE },
  );
  const cookie = String(started.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  return { url: started.json().authorization_url as string, cookie };
}
async function link(owner: SignedIn) {
  const { url, cookie } = await startLink(owner);
  const callback = { provider: 'telegram', ...op.visit(url) };
  return kit.server.post('/me/upstream-identities', callback, {
    ...{ ...owner.headers, ...PAGE, cookie },
  });
}

test('opens no account that has not linked it, and creates none', async () => {
  const { answer } = await signIn();
  expect(answer.json()).toMatchObject({ status: 403, code: 'upstream_email_unverified' });
  expect(op.asked.get('scope')).toBe('openid');
  expect(op.asked.has('nonce')).toBe(false);
  expect(op.asked.get('code_challenge_method')).toBe('S256');
});

test('attack: an account of Telegram that claims the address of another', async () => {
  const owner = await newOwner();
  op.claims = { email: owner.email, phone_number: '491700000000' };
  expect((await signIn()).answer.json()).toMatchObject({ code: 'upstream_email_unverified' });
});

test('signs in where a signed-in user has linked it, with the second factor', async () => {
  const owner = await newOwner();
  expect((await link(owner)).statusCode).toBe(200);
  const { answer, cookie } = await signIn();
  expect(answer.json()).toMatchObject({ next: 'second_factor', email: owner.email });
  const proof = {
    ...{ email: owner.email, login_ticket: answer.json().login_ticket, method: 'EMAIL' },
    validate_code: await kit.server.codeTo(owner.email),
  };
  const signedIn = await kit.server.post('/user/login/2fa', proof, { cookie });
  expect(signedIn.statusCode).toBe(200);
  const other = await newOwner();
  expect((await link(other)).json()).toMatchObject({ code: 'upstream_identity_taken' });
});

test('attack: linking without a session, in another, and in another browser', async () => {
  const [owner, victim] = [await newOwner(), await newOwner()];
  const { url, cookie } = await startLink(owner);
  const finish = (headers: Record<string, string>) =>
    kit.server.post('/me/upstream-identities', { provider: 'telegram', ...op.visit(url) }, headers);
  expect((await finish({ ...PAGE, cookie })).statusCode).toBe(401);
  const invalid = { code: 'invalid_ticket' };
  expect((await finish({ ...victim.headers, ...PAGE, cookie })).json()).toMatchObject(invalid);
  expect((await finish({ ...owner.headers, ...PAGE })).json()).toMatchObject(invalid);
  expect((await signIn()).answer.json()).toMatchObject({ code: 'upstream_email_unverified' });
});

test('attack: a code of another browser, a code twice, and an old request', async () => {
  await link(await newOwner());
  const victim = await begin();
  const stolen = op.visit(victim.url);
  const attacker = await begin();
  const own = op.visit(attacker.url);
  // PKCE binds the code to the request, as the nonce does elsewhere.
  const injected = { provider: 'telegram', state: own.state, code: stolen.code };
  const refused = { code: 'upstream_refused' };
  expect((await kit.finish(injected, attacker.cookie)).json()).toMatchObject(refused);
  const elsewhere = await kit.finish({ provider: 'telegram', ...own }, victim.cookie);
  expect(elsewhere.json()).toMatchObject({ code: 'invalid_ticket' });
  const once = { provider: 'telegram', ...own };
  expect((await kit.finish(once, attacker.cookie)).json().next).toBe('second_factor');
  expect((await kit.finish(once, attacker.cookie)).json()).toMatchObject(refused);
  const late = await begin();
  const callback = { provider: 'telegram', ...op.visit(late.url) };
  kit.server.clock.advance(HOUR_MS);
  expect((await kit.finish(callback, late.cookie)).json()).toMatchObject({
    code: 'invalid_ticket',
  });
});

test.each([
  { nonce: 'of another request' },
  { aud: '4243' },
  { iss: 'https://oauth.telegram.org' },
  { exp: 1 },
  { sub: undefined },
])('attack: an ID token with %o', async (claims) => {
  await link(await newOwner());
  op.claims = claims;
  expect((await signIn()).answer.json()).toMatchObject({ code: 'upstream_refused' });
});

test('a provider that binds codes by nothing is not used', async () => {
  op.metadata = { code_challenge_methods_supported: ['plain'] };
  const { url } = await begin();
  expect(JSON.parse(url)).toMatchObject({ code: 'upstream_unreachable' });
});
