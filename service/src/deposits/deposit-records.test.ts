import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_KEY } from '../../test/support/chains/deposit-bench.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { configureNetwork } from './configure-network.ts';
import { issueAddress } from './issue-address.ts';
import { registerDeposits } from './routes.ts';

const clock = createManualClock('2026-03-01T12:00:00Z');

describe.each(ENGINES)('records of deposits on %s', (engine) => {
  let database: Database;
  let app: HttpServer;
  let alice: number;
  let bob: number;

  const get = (url: string, userId = alice) =>
    app.inject({ url, headers: asPerson(userId, 'account:read') });

  async function insertDeposit(
    userId: number,
    fields: { txHash: string; detectedAt: string; currency?: string },
  ): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, contract,
         currency, from_address, raw_amount, decimals, amount, block_number, block_hash,
         required_confirmations, status, detected_at)
       select 'ETHEREUM', $1, 0, $2, a.id, t.id, t.contract, $4,
         '0x00000000000000000000000000000000000000AA', 12500000, 6, 12500000, 100, '0xb', 65,
         'confirming', $3
       from deposit_address a, token t where t.network = 'ETHEREUM' and t.currency = $4
         and a.id = (select min(id) from deposit_address where user_id = $2) returning id`,
      [fields.txHash, userId, fields.detectedAt, fields.currency ?? 'USDT'],
    );
    return rows[0]?.id ?? 0;
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    registerDeposits(app, { database, clock });
    [alice, bob] = [await insertUser(database), await insertUser(database)];
    const network = await configureNetwork(
      database,
      { clock, masterKey: testMasterKey },
      'ETHEREUM',
      { rpcUrls: ['http://127.0.0.1:1'], xpub: ACCOUNT_KEY },
    );
    for (const user of [alice, bob]) await issueAddress(database, clock, user, network);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('records are paged, filtered by currency and day, newest first, as documented', async () => {
    const ids: number[] = [];
    for (const [at, day] of [
      '2026-03-01T00:00:00Z',
      '2026-03-01T23:59:59Z',
      '2026-03-02T00:00:00Z',
    ].entries()) {
      ids.push(await insertDeposit(alice, { txHash: `0x${at}`, detectedAt: day }));
    }
    await insertDeposit(bob, { txHash: '0xb0b', detectedAt: '2026-03-01T10:00:00Z' });
    const day = await get(
      '/deposit/records?beginTime=2026-03-01&endTime=2026-03-01&current=1&size=20',
    );
    expect(day.json()).toMatchObject({ total: 2, size: 20, current: 1, pages: 1 });
    expect(day.json().records.map((record: { id: number }) => record.id)).toEqual([ids[1], ids[0]]);
    expect((await get('/deposit/records?current=2&size=2')).json()).toMatchObject({
      total: 3,
      pages: 2,
      records: [{ id: ids[0] }],
    });
    expect((await get('/deposit/records?current=99&size=20')).json()).toMatchObject({
      total: 3,
      records: [],
    });
    expect((await get('/deposit/records?currency=ETH&current=1&size=20')).json()).toMatchObject({
      total: 0,
      pages: 0,
    });
    expect((await get('/deposit/records?currency=UNKNOWN&current=1&size=20')).json()).toMatchObject(
      { total: 0 },
    );
    expect(
      (await get('/deposit/records?beginTime=2026-03-02&endTime=2026-03-01&current=1&size=20'))
        .statusCode,
    ).toBe(400);
    const one = await get(`/deposit/get/${ids[0]}`);
    expect(one.json()).toMatchObject({
      id: ids[0],
      currency: 'USDT',
      currency_network: 'ETHEREUM',
      network_name: 'Ethereum',
      amount: 12.5,
      tx_hash: '0x0',
      event_ordinal: 0,
      block_number: 100,
      block_hash: '0xb',
      confirmations: 0,
      required_confirmations: 65,
      status: 'confirming',
      explorer_url: 'https://etherscan.io/tx/0x0',
      detected_at: '2026-03-01T00:00:00.000Z',
    });
    const asString = await app.inject({
      url: `/deposit/get/${ids[0]}`,
      headers: { ...asPerson(alice, 'account:read'), prefer: 'amounts=string' },
    });
    expect(asString.json().amount).toBe('12.5');
    expect((await get(`/deposit/get/${ids[0]}`, bob)).statusCode).toBe(404);
  });

  test.each(['0', '-1', 'abc', '1e3', '99999999999999999999', '1.0'])(
    'the malformed id %s in a path is 404',
    async (id) => {
      expect((await get(`/deposit/get/${id}`)).statusCode).toBe(404);
    },
  );

  test.each([
    'current=0&size=20',
    'current=1&size=21',
    'current=1',
    'size=20',
    'current=1&size=20&beginTime=2026-02-30',
    'current=1&size=20&endTime=01-01-2026',
  ])('the query %s is 400', async (query) => {
    expect((await get(`/deposit/records?${query}`)).statusCode).toBe(400);
  });
});
