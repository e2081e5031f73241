/** Sign-in with wallets, and attacks on it. */
import { getAddress } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../../../test/support/chains/anvil.ts';
import { createWalletFactory } from '../../../test/support/chains/test-wallet.ts';
import { openTestDatabase } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
} from '../../../test/support/identity-server.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';

const config = testConfig({ CHALLENGE: 'off' });
const BROWSER = { 'sec-fetch-site': 'same-origin' };
const CHAIN_ID = 31337;

let database: Database;
let server: IdentityServer;
let chain: Anvil;
/** Calls that were made to the chain. */
let calls = 0;
/** Where an attacker has a contract at every address, which takes every signature. */
const HOSTILE_CHAIN_ID = 666;

beforeAll(async () => {
  database = await openTestDatabase('server');
  chain = await startAnvil();
  server = createIdentityServer(database, {
    config,
    runOnChain: async (chainId, data) => {
      calls++;
      if (chainId === HOSTILE_CHAIN_ID) return '0x01';
      if (chainId !== CHAIN_ID) return undefined;
      return chain.call<string>('eth_call', [{ data }, 'latest']).catch(() => undefined);
    },
  });
});
afterAll(async () => {
  await server.close();
  await chain.stop();
  await database.close();
});

type Headers = Record<string, string>;
interface Started {
  readonly challenge: string;
  readonly message: string;
  readonly cookie: string;
}
const newWallet = () => privateKeyToAccount(generatePrivateKey());
const cookieOf = (header: unknown): string => String(header ?? '').split(';')[0] ?? '';

async function start(
  address: string,
  url: string,
  { headers = {}, chainId = CHAIN_ID }: { headers?: Headers; chainId?: number } = {},
): Promise<Started> {
  server.clock.advance(1000);
  const order = { chain: 'ethereum', address, chain_id: chainId };
  const answer = await server.post(url, order, { ...BROWSER, ...headers });
  return { ...answer.json(), cookie: cookieOf(answer.headers['set-cookie']) };
}
const startSignIn = (address: string, chainId?: number) =>
  start(address, '/user/login/wallet', { ...(chainId !== undefined && { chainId }) });
const startLink = (address: string, headers: Headers) =>
  start(address, '/me/upstream-identities/wallet/start', { headers });

const finish = ({ challenge, cookie }: Started, signature: string, own = cookie) =>
  server.post('/user/login/wallet/finish', { challenge, signature }, own ? { cookie: own } : {});
const link = ({ challenge, cookie }: Started, signature: string, headers: Headers) =>
  server.post(
    '/me/upstream-identities/wallet',
    { challenge, signature },
    { ...headers, ...BROWSER, cookie },
  );

async function newUser() {
  const person = await server.register();
  const { sid } = await server.signIn(person);
  return { ...person, sid, headers: server.headersOf(person, sid) };
}

/** A user with a linked wallet. */
async function newOwner(wallet: PrivateKeyAccount = newWallet()) {
  const user = await newUser();
  const started = await startLink(wallet.address, user.headers);
  const linked = await link(started, await wallet.signMessage(started), user.headers);
  expect(linked.statusCode).toBe(200);
  return { ...user, wallet, identities: linked.json().identities };
}

test('a linked wallet signs in with the second factor', async () => {
  const { wallet, email, identities } = await newOwner();
  expect(identities).toEqual([
    {
      ...{ id: expect.any(Number), name: 'Ethereum', issuer: 'eip155', address: wallet.address },
      ...{ linked_at: expect.any(String), last_used_at: expect.any(String) },
    },
  ]);
  expect((await server.mailTo(email))?.body).toContain('Ethereum');
  const started = await startSignIn(wallet.address.toLowerCase());
  const answer = await finish(started, await wallet.signMessage(started));
  expect(answer.json()).toMatchObject({
    ...{ next: 'second_factor', need_two_factor: true, email, two_factor_methods: ['EMAIL'] },
  });
  const { login_ticket } = answer.json();
  const body = { email, login_ticket, method: 'EMAIL', validate_code: await server.codeTo(email) };
  const done = await server.post('/user/login/2fa', body, { cookie: started.cookie });
  expect(JSON.parse(done.json().access_token).amr).toEqual(['fed', 'email', 'mfa']);
});

test('the message is one of EIP-4361 for this service, and says what it is for', async () => {
  const { address } = newWallet();
  const { message } = await startSignIn(address);
  const parsed = parseSiweMessage(message);
  const { host } = new URL(config.BASE_URL);
  expect(parsed).toMatchObject({
    ...{ domain: host, address, uri: config.BASE_URL, version: '1', chainId: CHAIN_ID },
    statement: 'Sign in. This costs nothing and moves nothing.',
  });
  expect(parsed.nonce).toMatch(/^[A-Za-z0-9]{16,}$/);
  expect(validateSiweMessage({ message: parsed, domain: host, time: server.clock.now() })).toBe(
    true,
  );
  const later = new Date(server.clock.now().getTime() + 601_000);
  expect(validateSiweMessage({ message: parsed, domain: host, time: later })).toBe(false);
  const { headers } = await newUser();
  expect((await startLink(address, headers)).message).toContain('Link this wallet');
});

test('a contract wallet signs in where its chain is known', async () => {
  const factory = await createWalletFactory(chain);
  const owner = newWallet();
  const address = await factory.addressOf(owner);
  const user = await newUser();
  const started = await startLink(address, user.headers);
  const before = await factory.signBefore(owner, started.message);
  const linked = await link(started, before, user.headers);
  expect(linked.json().identities).toMatchObject([{ address: getAddress(address) }]);
  await factory.deploy(owner);
  const again = await startSignIn(address);
  expect((await finish(again, await owner.signMessage(again))).statusCode).toBe(200);
  const other = await startSignIn(address);
  const refused = await finish(other, await newWallet().signMessage(other));
  expect(refused.json()).toMatchObject({ status: 401, code: 'wallet_signature_invalid' });
});

test('attack: a wallet that no account has linked finds nothing, and asks no chain', async () => {
  const wallet = newWallet();
  const started = await startSignIn(wallet.address);
  const asked = calls;
  const answer = await finish(started, `0x${'ab'.repeat(300)}`);
  expect(answer.json()).toMatchObject({ status: 401, code: 'wallet_signature_invalid' });
  expect(calls).toBe(asked);
  const again = await startSignIn(wallet.address);
  const own = await finish(again, await wallet.signMessage(again));
  expect(own.json()).toMatchObject({ status: 403, code: 'wallet_unknown' });
});

test('attack: a stranger asks whether an account here has linked a wallet', async () => {
  const { wallet } = await newOwner();
  const answers = [];
  for (const address of [wallet.address, newWallet().address]) {
    const started = await startSignIn(address);
    const signature = await newWallet().signMessage(started);
    const { request_id, ...answer } = (await finish(started, signature)).json();
    expect(request_id).toBeTypeOf('string');
    answers.push(answer);
  }
  expect(answers[0]).toEqual(answers[1]);
});

test('attack: a contract on another chain signs for the address of a linked wallet', async () => {
  const factory = await createWalletFactory(chain);
  const owner = newWallet();
  const contract = await factory.addressOf(owner);
  const user = await newUser();
  const started = await startLink(contract, user.headers);
  const signature = await factory.signBefore(owner, started.message);
  expect((await link(started, signature, user.headers)).statusCode).toBe(200);
  const { wallet } = await newOwner();
  for (const address of [contract, wallet.address]) {
    const attack = await startSignIn(address, HOSTILE_CHAIN_ID);
    const answer = await finish(attack, `0x${'ab'.repeat(65)}`);
    expect(answer.json()).toMatchObject({ status: 401, code: 'wallet_signature_invalid' });
  }
});

test('a user links at most 20 accounts, and the ones that are linked still count', async () => {
  const { headers, userId, wallet } = await newOwner();
  await database.query(
    `insert into upstream_identity (issuer, subject, user_id, linked_at, last_used_at)
     select 'eip155', 'filler-' || $1 || '-' || n, $1::bigint, now(), now()
     from generate_series(1, 18) n`,
    [userId],
  );
  const linkNew = async (added = newWallet()) => {
    const started = await startLink(added.address, headers);
    return link(started, await added.signMessage(started), headers);
  };
  // Both fit alone: the user is locked, so one of them is the one too many.
  const both = await Promise.all([linkNew(), linkNew()]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  expect((await linkNew()).json()).toMatchObject({ status: 409, code: 'linked_account_limit' });
  expect((await linkNew(wallet)).json().identities).toHaveLength(20);
});

test('attack: a signature is used twice, late, elsewhere, or for another wallet', async () => {
  const { wallet } = await newOwner();
  const started = await startSignIn(wallet.address);
  const signature = await wallet.signMessage(started);
  const stranger = await startSignIn(newWallet().address);
  const invalid = { status: 401, code: 'invalid_ticket' };
  expect((await finish(started, signature, stranger.cookie)).json()).toMatchObject(invalid);
  expect((await finish(started, signature, '')).json()).toMatchObject(invalid);
  const both = await Promise.all([finish(started, signature), finish(started, signature)]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  expect((await finish(started, signature)).json()).toMatchObject(invalid);
  const other = await newOwner();
  const foreign = await startSignIn(other.wallet.address);
  expect((await finish(foreign, await wallet.signMessage(foreign))).json()).toMatchObject({
    code: 'wallet_signature_invalid',
  });
  expect((await finish(foreign, signature)).json()).toMatchObject({
    code: 'wallet_signature_invalid',
  });
  const late = await startSignIn(wallet.address);
  const lateSignature = await wallet.signMessage(late);
  server.clock.advance(600_000);
  expect((await finish(late, lateSignature)).json()).toMatchObject(invalid);
});

test('attack: the signature of a sign-in links, or that of a link signs in', async () => {
  const owner = await newOwner();
  const signIn = await startSignIn(owner.wallet.address);
  const victim = await newUser();
  const asLink = await link(signIn, await owner.wallet.signMessage(signIn), victim.headers);
  expect(asLink.json()).toMatchObject({ code: 'invalid_ticket' });
  const started = await startLink(owner.wallet.address, owner.headers);
  const signature = await owner.wallet.signMessage(started);
  expect((await finish(started, signature)).json()).toMatchObject({ code: 'invalid_ticket' });
  // Nor does it link in another session.
  expect((await link(started, signature, victim.headers)).json()).toMatchObject({
    code: 'invalid_ticket',
  });
});

test('attack: a wallet is linked to a second account', async () => {
  const { wallet } = await newOwner();
  const other = await newUser();
  const started = await startLink(wallet.address, other.headers);
  const refused = await link(started, await wallet.signMessage(started), other.headers);
  expect(refused.json()).toMatchObject({ status: 409, code: 'upstream_identity_taken' });
});

test('a link needs a fresh proof', async () => {
  const user = await newUser();
  const { address } = newWallet();
  server.clock.advance(3600_000);
  const old = new Date(server.clock.now().getTime() - 3600_000);
  const headers = { ...server.headersOf(user, user.sid, old), ...BROWSER };
  const url = '/me/upstream-identities/wallet';
  const order = { chain: 'ethereum', address };
  expect((await server.post(`${url}/start`, order, headers)).json()).toMatchObject({
    code: 'reauthentication_required',
  });
  const signed = { challenge: 'x', signature: `0x${'00'.repeat(65)}` };
  expect((await server.post(url, signed, headers)).json()).toMatchObject({
    code: 'reauthentication_required',
  });
});

test('a wallet is a way to sign in, and the last one stays', async () => {
  const owner = await newOwner();
  const [identity] = owner.identities;
  const unlink = () =>
    server.post(`/me/upstream-identities/${identity.id}/delete`, {}, owner.headers);
  await database.query('update app_user set password_hash = null where id = $1', [owner.userId]);
  expect((await unlink()).json()).toMatchObject({ code: 'last_sign_in_method' });
  const second = newWallet();
  const started = await startLink(second.address, owner.headers);
  await link(started, await second.signMessage(started), owner.headers);
  expect((await unlink()).statusCode).toBe(204);
  const gone = await startSignIn(owner.wallet.address);
  expect((await finish(gone, await owner.wallet.signMessage(gone))).json()).toMatchObject({
    code: 'wallet_unknown',
  });
});

test.each([
  ['ethereum', 'no address'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ['solana', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
])('no address of %s: %s', async (kind, address) => {
  const answer = await server.post('/user/login/wallet', { chain: kind, address }, BROWSER);
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
});
