/**
 * The service and its signer in one process, which pays one payout or decides about it, or kills
 * itself (SIGKILL) at its n-th step: before each statement of the database, before and after each
 * call of the chain. Arguments: file of a `ChildOrder`; n, 0 for never.
 */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
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
import { killAtStep, stepAtStatements } from './kill-at-step.ts';
import { HOT_KEY, WINDOW } from './payout-chain-types.ts';
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
  /** What people decide; absent: it is paid. */
  readonly action?: ChildAction;
}

export type ChildAction = 'cancel' | 'reject' | 'release' | 'resume' | 'mismatch';

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
  outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
  isMoneyFrozen: async () => false,
  sharesDevices: async () => false,
};
const app = createTestServer();
registerPayouts(app, deps);
const { operator } = order;
const passkey = createSoftPasskey();
await passkey.enrol(database, operator);

const steps = killAtStep(Number(killAt));
stepAtStatements(steps);
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  steps.step();
  const answer = await send(input, init);
  steps.step();
  return answer;
};

type Json = Record<string, unknown>;

interface CallOptions {
  readonly key?: string;
  readonly method?: 'PUT' | 'DELETE';
}

async function call(
  url: string,
  body: unknown,
  caller: object,
  options: CallOptions = {},
): Promise<Json> {
  const { key = crypto.randomUUID(), method = body === undefined ? 'GET' : 'POST' } = options;
  const answer = await app.inject({
    ...{ method, url },
    headers: {
      ...caller,
      'idempotency-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  // The session of a killed process may hold its locks for a moment: a client sends it again.
  if (answer.statusCode === 503) return call(url, body, caller, options);
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

const read = (id: number) => call(`/operator/payouts/${id}`, undefined, asReviewer);
const remark = 'decided by the test';

/** Approves what no operator has decided about yet. */
async function approve(id: number): Promise<void> {
  await reviewPayouts(deps);
  const { status, document_hash, reason_code } = await read(id);
  if (status !== 'in_review' || reason_code === 'released_to_queue') return;
  const passkey_credential = passkey.assert(String(document_hash));
  await call(`/operator/payouts/${id}/approve`, { passkey_credential }, asReviewer);
}

/** Takes an approved payout as a signer that then loses its state. */
async function loseInSigner(id: number): Promise<void> {
  await approve(id);
  const { status, network } = await read(id);
  if (status !== 'approved') return;
  const asSigner = asOperator('operator:payouts-sign');
  await call('/operator/payouts/take', { network, signer: 'lost-signer', limit: 1 }, asSigner);
}

async function mineAndFollow(blocks: number): Promise<void> {
  await callRpc(order.config.rpc_url, 'anvil_mine', [`0x${blocks.toString(16)}`]);
  await bench.settle();
  await followPayouts(deps);
}

const STOP = '/operator/payout-stops/USDT';

/** What people decide. Each can be done again from its begin. */
const ACTIONS: Record<ChildAction, (id: number) => Promise<unknown>> = {
  async cancel(id) {
    await reviewPayouts(deps);
    await call(`/payouts/${id}/cancel`, {}, asUser, { key: `${order.key}/cancel` });
  },
  async reject(id) {
    await reviewPayouts(deps);
    await call(`/operator/payouts/${id}/reject`, { remark }, asReviewer);
  },
  async release(id) {
    await loseInSigner(id);
    const url = `/operator/payouts/${id}`;
    if ((await read(id)).status === 'signed') await call(`${url}/release`, { remark }, asReviewer);
    await call(`${url}/reject`, { remark }, asReviewer);
  },
  async resume() {
    await call(STOP, { reason: remark }, asReviewer, { method: 'PUT' });
    await reviewPayouts(deps);
    await call(STOP, undefined, asReviewer, { method: 'DELETE' });
  },
  async mismatch(id) {
    await mineAndFollow(order.blocks);
    const url = `/operator/payouts/${id}/mismatch`;
    const { status } = await read(id);
    if (status === 'sent') await call(url, { outcome: 'failed', remark }, asReviewer);
    await mineAndFollow(WINDOW + 1);
  },
};

/** Statement by statement what the jobs and people of a service do. */
async function runRound(id: number): Promise<Json> {
  await approve(id);
  await signer.cycle();
  steps.step();
  await mineAndFollow(order.blocks);
  return read(id);
}

const body = { wallet: 'asset', currency: 'USDT', amount: '3', address_id: order.addressId };
const id = order.payoutId ?? (await call('/payouts', body, asUser, { key: order.key })).id;
const { action } = order;
if (action) await ACTIONS[action](Number(id));
const isPaid = action === undefined || action === 'resume';
if (isPaid) await signer.start();
for (let round = 1; isPaid && round <= ROUNDS.max; round++) {
  const { status } = await runRound(Number(id));
  if (round >= ROUNDS.min && ['confirmed', 'failed'].includes(String(status))) break;
}
signer.close();
process.stdout.write(JSON.stringify({ steps: steps.count, id }));
process.exit(0);
