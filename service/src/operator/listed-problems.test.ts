/** What the API lists for operators, and no test of its own causes there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../../test/support/chains/anvil.ts';
import {
  ACCOUNT_KEY,
  clock,
  createDepositBench,
  NETWORK,
} from '../../test/support/chains/deposit-bench.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { createTokenVerifier } from '../deposits/index.ts';
import { createOutgoing, type HttpServer } from '../http/index.ts';
import { registerOperatorChains } from './chains.ts';
import { registerOperatorWebhooks } from './webhooks.ts';

let database: Database;
let app: HttpServer;
let anvil: Anvil;
beforeAll(async () => {
  anvil = await startAnvil();
  database = await openTestDatabase('server');
  app = createTestServer();
  const deps = { database, clock, masterKey: testMasterKey };
  registerOperatorChains(app, { ...deps, verifyToken: createTokenVerifier(testMasterKey) });
  const outgoing = createOutgoing({ allowsLoopback: false });
  registerOperatorWebhooks(app, database, { clock, masterKey: testMasterKey, outgoing });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await anvil.stop();
});

const send = async (method: 'PUT' | 'POST', url: string, payload: object) =>
  (
    await app.inject({
      ...{ method, url, payload },
      headers: asOperator('operator:chains', 'operator:webhooks'),
    })
  ).json();

test('a network is halted and resumed; an endpoint that is gone is named as such', async () => {
  const path = `/operator/chains/${NETWORK}`;
  const fields = { kind: 'evm', chain_id: 31_337, xpub: ACCOUNT_KEY, start_height: 0 };
  await send('PUT', path, { ...fields, rpc_urls: [anvil.url] });
  await anvil.mine(3);
  await createDepositBench(database).settle();
  expect(await send('POST', `${path}/halt`, { reason: 'a check' })).toMatchObject({
    state: 'halted',
    halted_reason: 'a check',
  });
  const { hash } = await anvil.call<{ hash: string }>('eth_getBlockByNumber', ['0x1', false]);
  const resume = (named: object) => send('POST', `${path}/resume`, named);
  expect((await resume({ height: 1, hash: `0x${'22'.repeat(32)}` })).code).toBe('block_mismatch');
  await send('PUT', path, { rpc_urls: ['http://127.0.0.1:9'] });
  expect((await resume({ height: 1, hash })).code).toBe('chain_unreachable');
  await send('PUT', path, { rpc_urls: [anvil.url] });
  expect((await resume({ height: 1, hash })).state).not.toBe('halted');
});

test('more webhooks than there may be', async () => {
  const codes = [];
  for (let n = 0; n < 51; n++) {
    const url = `https://hooks.example.com/${n}`;
    codes.push((await send('POST', '/operator/webhooks', { url, event_types: [] })).code);
  }
  expect(codes.filter((code) => code !== undefined)).toEqual(['webhook_limit']);
});
