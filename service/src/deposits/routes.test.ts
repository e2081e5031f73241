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

  test('a network that is not configured is 409', async () => {
    const answer = await get('/address/info?currency=USDT&currencyNetWork=ETHEREUM');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'network_unavailable' });
  });

  test('the networks of a currency are listed with their names', async () => {
    const networks = (await listCurrencyNetworks(database)).get('ETH');
    expect(networks).toMatchObject({
      open: [],
      names: { ETHEREUM: 'Ethereum', OPTIMISM: 'OP Mainnet' },
    });
    expect(Object.keys(networks?.names ?? {}).toSorted()).toEqual(networks?.networks);
  });

  test('unknown currency and network are 400 with the list of known ones', async () => {
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

  test('the address is derived from the public key, the same on every EVM network', async () => {
    for (const code of ['ETHEREUM', 'POLYGON']) {
      await configureNetwork(database, { clock, masterKey: testMasterKey }, code, {
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
      uri:
        'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer' +
        `?address=${first.json().address}`,
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

  test('for a network without a watcher the answer states that deposits come later', async () => {
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
    await hand(
      `halted_at = '2026-03-01T12:00:00Z', halted_reason_code = 'free_text',
         halted_reason_values = '{"text":"by hand"}'`,
    );
    expect(await delayed()).toBe(true);
    await hand(
      'halted_at = null, halted_reason_code = null, halted_reason_values = null, checked_at = null',
    );
  });

  test('another public key changes no address, until the operator retires them', async () => {
    const other = HDKey.fromMasterSeed(Buffer.alloc(32, 4)).derive(
      "m/44'/60'/0'",
    ).publicExtendedKey;
    const addressOf = async (userId: number, network = 'ETHEREUM'): Promise<string> =>
      (await get(`/address/info?currency=USDT&currencyNetWork=${network}`, userId)).json().address;
    const [first, newcomer] = [await addressOf(alice), await insertUser(database)];
    await configureNetwork(database, { clock, masterKey: testMasterKey }, 'ETHEREUM', {
      xpub: other,
    });
    expect(await addressOf(alice)).toBe(first);
    // One address for the family, though its networks have different keys now.
    const made = await addressOf(newcomer);
    expect(await addressOf(newcomer, 'POLYGON')).toBe(made);
    await expect(
      configureNetwork(database, { clock, masterKey: testMasterKey }, 'ETHEREUM', {
        retireAddresses: true,
      }),
    ).rejects.toMatchObject({ code: 'invalid_parameter' });
    await configureNetwork(database, { clock, masterKey: testMasterKey }, 'ETHEREUM', {
      xpub: other,
      retireAddresses: true,
    });
    const second = await addressOf(alice);
    expect(second).not.toBe(first);
    // A lost key is retired on every network, for existing and new addresses.
    expect(await addressOf(alice, 'POLYGON')).toBe(second);
    const late = await insertUser(database);
    expect(await addressOf(late, 'POLYGON')).toBe(await addressOf(late));
    expect(await addressOf(newcomer)).toBe(made);
    const { rows } = await database.query(
      'select address from deposit_address where user_id = $1 order by id',
      [alice],
    );
    expect(rows).toEqual([{ address: first }, { address: second }]);
    await configureNetwork(database, { clock, masterKey: testMasterKey }, 'ETHEREUM', {
      xpub: ACCOUNT.publicExtendedKey,
      retireAddresses: true,
    });
    expect(await addressOf(alice)).toBe(first);
  });

  test('many requests at the same time create one address', async () => {
    const carol = await insertUser(database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        get('/address/info?currency=USDT&currencyNetWork=ETHEREUM', carol),
      ),
    );
    expect(new Set(answers.map((answer) => answer.json().address)).size).toBe(1);
  });
});
