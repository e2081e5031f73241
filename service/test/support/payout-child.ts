/**
 * The service and its signer in one process, which pays one payout, or kills itself (SIGKILL) at
 * its n-th step: before each statement of the database, before and after each call of the chain.
 * Arguments: file of a `ChildOrder`; n, 0 for never.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import pg from 'pg';
import type { SignerConfig } from '../../../signer/src/config.ts';
import { openSigner } from '../../../signer/src/open-signer.ts';
import { openServer } from '../../src/db/index.ts';
import { createOutgoing } from '../../src/http/index.ts';
import { installPersonKeys } from '../../src/identity/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { followPayouts } from '../../src/payouts/follow-payouts.ts';
import { type PayoutsDeps, registerPayouts } from '../../src/payouts/index.ts';
import { reviewPayouts } from '../../src/payouts/review-payouts.ts';
import { callRpc } from './chains/anvil.ts';
import { createDepositBench } from './chains/deposit-bench.ts';
import { HOT_KEY } from './payout-chain-types.ts';
import { createSoftPasskey } from './soft-passkey.ts';
import { testConfig, testMasterKey } from './test-config.ts';
import { asOperator, bearer, createTestServer } from './test-server.ts';

export interface ChildOrder {
  readonly url: string;
  readonly config: SignerConfig;
  readonly userId: number;
  readonly addressId: number;
  /** Gets one more passkey. */
  readonly operator: number;
  /** Names the request: repeated, it is the same. */
  readonly key: string;
  /** A payout that was requested before. */
  readonly payoutId?: number;
  /** Mined in each round. */
  readonly blocks: number;
}

const SERVICE = 'http://service.test';
const ROUNDS = { min: 3, max: 12 };

// Most of them are killed, and a killed process leaves no cache to the next.
flushCompileCache();
const [path = '', killAt = '0'] = process.argv.slice(2);
const order = JSON.parse(readFileSync(path, 'utf8')) as ChildOrder;
const database = await openServer({ url: order.url, poolSize: 3, onError: () => undefined });
installPersonKeys(database, testMasterKey);
const bench = createDepositBench(database);
const deps: PayoutsDeps = {
  ...{ database, clock: systemClock, config: testConfig(), masterKey: testMasterKey },
  outgoing: createOutgoing({ allowsLoopback: true }),
  isMoneyFrozen: async () => false,
  sharesDevices: async () => false,
};
const app = createTestServer();
registerPayouts(app, deps);
const { operator } = order;
const passkey = createSoftPasskey();
await passkey.enrol(database, operator);

let steps = 0;
function step(): void {
  steps++;
  if (String(steps) === killAt) process.kill(process.pid, 'SIGKILL');
}
const client = pg.Client.prototype;
const query = client.query as (...args: unknown[]) => unknown;
client.query = function (this: pg.Client, ...args: unknown[]): unknown {
  step();
  return query.apply(this, args);
} as typeof client.query;
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  step();
  const answer = await send(input, init);
  step();
  return answer;
};

type Json = Record<string, unknown>;

async function call(
  url: string,
  body: unknown,
  caller: object,
  key: string = crypto.randomUUID(),
): Promise<Json> {
  const answer = await app.inject({
    ...{ method: body === undefined ? 'GET' : 'POST', url },
    headers: {
      ...caller,
      'idempotency-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  // The session of a killed process may hold its locks for a moment: a client sends it again.
  if (answer.statusCode === 503) return call(url, body, caller, key);
  if (answer.statusCode >= 400) throw new Error(`${url}: ${answer.body}`);
  return (answer.body === '' ? {} : answer.json()) as Json;
}

/** The service without a network: the signer calls it in this process. */
const signer = openSigner({
  config: {
    ...order.config,
    ...{ service_url: SERVICE, rp_id: 'localhost', origins: ['http://localhost:8080'] },
    operators: [
      {
        ...{ name: 'operator', user_id: operator },
        keys: [{ credential_id: passkey.id, public_key: passkey.publicKey.toString('base64url') }],
      },
    ],
  },
  key: HOT_KEY,
  clientSecret: 'none',
  log: () => undefined,
  send: (async (url: string, init?: RequestInit) => {
    if (!url.startsWith(SERVICE)) return fetch(url, init);
    if (url.endsWith('/token')) return Response.json({ access_token: 'x', expires_in: 3600 });
    const answer = await app.inject({
      ...{ method: 'POST', url: url.slice(SERVICE.length), payload: String(init?.body) },
      headers: { ...asOperator('operator:payouts-sign'), 'content-type': 'application/json' },
    });
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
    });
  }) as typeof fetch,
});

const asUser = bearer({
  ...{ userId: order.userId, tokenUse: 'business', scopes: ['wallet:write', 'account:read'] },
  authTime: systemClock.now(),
});
const asReviewer = bearer({
  ...{ userId: operator, tokenUse: 'business', scopes: ['operator:payouts'] },
});

/** Statement by statement what the jobs and people of a service do. */
async function runRound(id: number): Promise<Json> {
  await reviewPayouts(deps);
  const url = `/operator/payouts/${id}`;
  const payout = await call(url, undefined, asReviewer);
  if (payout.status === 'in_review') {
    const passkey_credential = passkey.assert(String(payout.document_hash));
    await call(`${url}/approve`, { passkey_credential }, asReviewer);
  }
  await signer.cycle();
  step();
  await callRpc(order.config.rpc_url, 'anvil_mine', [`0x${order.blocks.toString(16)}`]);
  await bench.settle();
  await followPayouts(deps);
  return call(url, undefined, asReviewer);
}

const body = { wallet: 'asset', currency: 'USDT', amount: '3', address_id: order.addressId };
const id = order.payoutId ?? (await call('/payouts', body, asUser, order.key)).id;
await signer.start();
for (let round = 1; round <= ROUNDS.max; round++) {
  const { status } = await runRound(Number(id));
  if (round >= ROUNDS.min && ['confirmed', 'failed'].includes(String(status))) break;
}
signer.close();
process.stdout.write(JSON.stringify({ steps, id }));
process.exit(0);
