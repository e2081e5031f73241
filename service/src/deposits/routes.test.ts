import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { configureNetwork } from './configure-network.ts';
import { listCurrencyNetworks } from './networks.ts';
import { registerDeposits } from './routes.ts';

const SEED = Buffer.alloc(32, 3);
const ACCOUNT = HDKey.fromMasterSeed(SEED).derive("m/44'/60'/0'");
const clock = createManualClock('2026-03-01T12:00:00Z');

describe.each(ENGINES)('deposit endpoints on %s', (engine) => {
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
      `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, contract, currency, from_address, raw_amount, decimals, amount,
         block_number, block_hash, required_confirmations, status, detected_at)
       select 'ETHEREUM', $1, 0, $2, a.id, t.id, t.contract, $4, '0x00000000000000000000000000000000000000AA', 12500000, 6, 12500000, 100, '0xb', 65, 'confirming', $3
       from deposit_address a, token t where a.id = (select min(id) from deposit_address where user_id = $2) and t.network = 'ETHEREUM' and t.currency = $4 returning id`,
      [fields.txHash, userId, fields.detectedAt, fields.currency ?? 'USDT'],
    );
    return rows[0]?.id ?? 0;
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    registerDeposits(app, { database, clock });
    [alice, bob] = [await insertUser(database), await insertUser(database)];
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('a network that the operator has not configured is 409', async () => {
    const answer = await get('/address/info?currency=USDT&currencyNetWork=ETHEREUM');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'network_unavailable' });
  });

  test('a currency’s networks are told with their names', async () => {
    const networks = (await listCurrencyNetworks(database)).get('ETH');
    expect(networks).toMatchObject({
      open: [],
      names: { ETHEREUM: 'Ethereum', OPTIMISM: 'OP Mainnet' },
    });
    expect(Object.keys(networks?.names ?? {}).toSorted()).toEqual(networks?.networks);
  });

  test('unknown currency and network are 400 with the list', async () => {
    const currency = await get('/address/info?currency=NOPE&currencyNetWork=ETHEREUM');
    expect(currency.statusCode).toBe(400);
    expect(currency.json().errors[0]).toMatchObject({
      field: 'currency',
      message: expect.stringContaining('EDGE, USDT, ETH'),
    });
    const network = await get('/address/info?currency=USDT&currencyNetWork=NOPE');
    expect(network.statusCode).toBe(400);
    expect(network.json().errors[0]).toMatchObject({
      field: 'currencyNetWork',
      message: expect.stringContaining('ETHEREUM'),
    });
    expect((await get('/address/info?currency=USDT')).json().errors[0].field).toBe(
      'currencyNetWork',
    );
    expect(
      (await get('/deposit/records?currency=NOPE&current=1&size=20')).json().errors[0].field,
    ).toBe('currency');
  });

  test('the address is derived from the public key, checksummed, and the same for ever and on every EVM network', async () => {
    for (const code of ['ETHEREUM', 'POLYGON']) {
      await configureNetwork(database, clock, testMasterKey, code, {
        rpcUrls: ['http://127.0.0.1:1/key-1234'],
        xpub: ACCOUNT.publicExtendedKey,
      });
    }
    const first = await get('/address/info?currency=USDT&currencyNetWork=ETHEREUM');
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({
      currency: 'USDT',
      currency_network: 'ETHEREUM',
      network_name: 'Ethereum',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      contract_address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      decimals: 6,
      min_deposit: 1,
      required_confirmations: 65,
      estimated_seconds: 780,
      uri: `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${first.json().address}`,
      warning: expect.stringContaining('only on the Ethereum network'),
      created_at: '2026-03-01T12:00:00.000Z',
    });
    const polygon = await get('/address/info?currency=USDT&currencyNetWork=POLYGON');
    const coin = await get('/address/info?currency=ETH&currencyNetWork=ETHEREUM');
    expect([polygon.json().address, coin.json().address]).toEqual([
      first.json().address,
      first.json().address,
    ]);
    expect(coin.json().uri).toBe(`ethereum:${first.json().address}@1`);
    expect(
      (await get('/address/info?currency=USDT&currencyNetWork=ETHEREUM', bob)).json().address,
    ).not.toBe(first.json().address);
  });

  test('of a network that nobody watches it is said that deposits come later', async () => {
    const delayed = async () =>
      (await get('/address/info?currency=USDT&currencyNetWork=POLYGON')).json().is_delayed;
    expect(await delayed()).toBeUndefined();
    const hand = async (set: string) =>
      database.query(`update chain_state set ${set} where network = 'POLYGON'`);
    await database.query(
      "insert into chain_state (network) values ('POLYGON') on conflict do nothing",
    );
    await hand("checked_at = '2026-03-01T11:00:00Z'");
    expect(await delayed()).toBe(true);
    await hand("checked_at = '2026-03-01T12:00:00Z'");
    expect(await delayed()).toBeUndefined();
    await hand("halted_at = '2026-03-01T12:00:00Z', halted_reason = 'by hand'");
    expect(await delayed()).toBe(true);
    await hand('halted_at = null, halted_reason = null, checked_at = null');
  });

  test('another public key changes nobody’s address, until the operator retires them', async () => {
    const other = HDKey.fromMasterSeed(Buffer.alloc(32, 4)).derive(
      "m/44'/60'/0'",
    ).publicExtendedKey;
    const addressOf = async (userId: number, network = 'ETHEREUM'): Promise<string> =>
      (await get(`/address/info?currency=USDT&currencyNetWork=${network}`, userId)).json().address;
    const [first, newcomer] = [await addressOf(alice), await insertUser(database)];
    await configureNetwork(database, clock, testMasterKey, 'ETHEREUM', { xpub: other });
    expect(await addressOf(alice)).toBe(first);
    // One address in the family, though its networks have different keys now.
    const made = await addressOf(newcomer);
    expect(await addressOf(newcomer, 'POLYGON')).toBe(made);
    await expect(
      configureNetwork(database, clock, testMasterKey, 'ETHEREUM', { retireAddresses: true }),
    ).rejects.toMatchObject({ code: 'invalid_parameter' });
    await configureNetwork(database, clock, testMasterKey, 'ETHEREUM', {
      xpub: other,
      retireAddresses: true,
    });
    const second = await addressOf(alice);
    expect(second).not.toBe(first);
    // A lost key is out of use on every network, for those who have an address and those who come.
    expect(await addressOf(alice, 'POLYGON')).toBe(second);
    const late = await insertUser(database);
    expect(await addressOf(late, 'POLYGON')).toBe(await addressOf(late));
    expect(await addressOf(newcomer)).toBe(made);
    const { rows } = await database.query(
      'select address from deposit_address where user_id = $1 order by id',
      [alice],
    );
    expect(rows).toEqual([{ address: first }, { address: second }]);
    await configureNetwork(database, clock, testMasterKey, 'ETHEREUM', {
      xpub: ACCOUNT.publicExtendedKey,
      retireAddresses: true,
    });
    expect(await addressOf(alice)).toBe(first);
  });

  test('many requests at once make one address', async () => {
    const carol = await insertUser(database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        get('/address/info?currency=USDT&currencyNetWork=ETHEREUM', carol),
      ),
    );
    expect(new Set(answers.map((answer) => answer.json().address)).size).toBe(1);
  });

  test('records are paged, filtered by currency and day, newest first; each field is as documented', async () => {
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
