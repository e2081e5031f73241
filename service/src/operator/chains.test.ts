import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import {
  ACCOUNT_KEY,
  clock,
  createDepositBench,
  type DepositBench,
  NETWORK,
  type Person,
} from '../../test/support/chains/deposit-bench.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { asOperator, createTestServer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { createTokenVerifier, registerChainMetrics } from '../deposits/index.ts';
import { createMetrics, type HttpServer } from '../http/index.ts';
import { registerOperatorChains } from './chains.ts';
import { registerOperatorCurrencies } from './currencies.ts';
import { registerOperatorDeposits } from './deposits.ts';
import { registerUnswept } from './unswept.ts';

const SECRET = HDKey.fromMasterSeed(Buffer.alloc(32, 5));
const ONE_USDT = 1_000_000n;
let keys = 0;

describe('operating chains', () => {
  let database: Database;
  let app: HttpServer;
  let anvil: Anvil;
  let bench: DepositBench;
  let usdt: Hex;
  let alice: Person;

  const send = (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: object,
    accept = 'application/json',
  ) =>
    app.inject({
      method,
      url,
      headers: { ...asOperator('operator:chains'), accept, 'idempotency-key': `key-${++keys}` },
      ...(payload && { payload }),
    });

  beforeAll(async () => {
    anvil = await startAnvil();
    usdt = await anvil.deployToken('USDT', 6);
    database = await openTestDatabase('server');
    bench = createDepositBench(database);
    app = createTestServer();
    const deps = {
      database,
      clock,
      masterKey: testMasterKey,
      verifyToken: createTokenVerifier(testMasterKey),
    };
    registerOperatorChains(app, deps);
    registerOperatorCurrencies(app, deps);
    registerOperatorDeposits(app, deps);
    registerUnswept(app, deps);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
    await anvil.stop();
  });

  test.each([
    ['an extended private key', SECRET.privateExtendedKey],
    ['one that claims another prefix', SECRET.privateExtendedKey.replace('xprv', 'xpub')],
    ['a raw private key', `0x${Buffer.from(SECRET.privateKey ?? []).toString('hex')}`],
    ['seed words', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
    [
      'a key with a typing mistake',
      ACCOUNT_KEY.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ],
    ['nothing of the kind', 'hello'],
  ])('%s is refused as public key, and nothing is stored', async (_name, xpub) => {
    const answer = await send('PUT', '/operator/chains/ETHEREUM', { rpc_urls: [anvil.url], xpub });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field: 'xpub' }] });
    expect(answer.payload).not.toContain(xpub);
    expect((await database.query('select 1 from deposit_wallet')).rows).toEqual([]);
  });

  test('a network is configured; fields that a request omits stay unchanged', async () => {
    const secret = `${anvil.url}/v3/secret-access-key`;
    const body = {
      kind: 'evm',
      chain_id: 31337,
      rpc_urls: [secret, anvil.url],
      xpub: ACCOUNT_KEY,
      required_confirmations: 3,
      uses_finalized: false,
      start_height: 0,
    };
    const answer = await send('PUT', `/operator/chains/${NETWORK}`, body);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      network: NETWORK,
      is_enabled: true,
      state: 'starting',
      endpoints: [{ url: anvil.url }, { url: anvil.url }],
    });
    expect(answer.payload).not.toContain('secret-access-key');
    const { rows } = await database.query<{ rpc_urls_sealed: string }>(
      'select rpc_urls_sealed from network where code = $1',
      [NETWORK],
    );
    expect(rows[0]?.rpc_urls_sealed).not.toContain('secret');
    const changed = await send('PUT', `/operator/chains/${NETWORK}`, { required_confirmations: 2 });
    expect(changed.json()).toMatchObject({
      required_confirmations: 2,
      xpub: ACCOUNT_KEY,
      is_enabled: true,
    });
  });

  test('inconsistent settings are refused', async () => {
    expect(
      (
        await send('PUT', '/operator/chains/MYCHAIN', { rpc_urls: [anvil.url], xpub: ACCOUNT_KEY })
      ).json().errors[0].field,
    ).toBe('kind');
    expect(
      (await send('PUT', '/operator/chains/my-chain', { kind: 'evm', chain_id: 5 })).statusCode,
    ).toBe(400);
    expect(
      (await send('PUT', '/operator/chains/OTHER', { kind: 'evm', chain_id: 31337 })).json().code,
    ).toBe('chain_id_taken');
    expect(
      (await send('PUT', '/operator/chains/POLYGON', { rpc_urls: ['ftp://node'] })).statusCode,
    ).toBe(400);
    expect((await send('PUT', '/operator/chains/POLYGON', { is_enabled: true })).statusCode).toBe(
      400,
    );
    expect((await send('PUT', `/operator/chains/${NETWORK}`, { reorg_window: 2 })).statusCode).toBe(
      400,
    );
    expect(
      (await send('PUT', '/operator/chains/NOPE/tokens/USDT', { decimals: 6, min_deposit: '1' }))
        .statusCode,
    ).toBe(404);
    expect(
      (
        await send('PUT', `/operator/chains/${NETWORK}/tokens/NOPE`, {
          decimals: 6,
          min_deposit: '1',
        })
      ).statusCode,
    ).toBe(400);
    expect(
      (await send('POST', `/operator/chains/${NETWORK}/backfill`, { from_height: 0 })).json().code,
    ).toBe('chain_not_started');
    expect(
      (
        await send('POST', `/operator/chains/${NETWORK}/resume`, {
          height: 1,
          hash: `0x${'a'.repeat(64)}`,
        })
      ).json().code,
    ).toBe('chain_not_halted');
  });

  test('currencies are added; a chain’s coin is taken for no other currency', async () => {
    const tokenOf = (network: string, currency: string, decimals = 8) =>
      send('PUT', `/operator/chains/${network}/tokens/${currency}`, {
        decimals,
        min_deposit: '0.01',
      });
    expect((await tokenOf('LITECOIN', 'LTC')).json().errors[0].message).toContain(
      'must be one of EDGE, USDT, ETH',
    );
    expect((await tokenOf('LITECOIN', 'ETH')).json().errors[0]).toMatchObject({
      code: 'not_the_coin',
      message: expect.stringContaining('LTC'),
    });
    for (let twice = 0; twice < 2; twice++) {
      const added = await send('PUT', '/operator/currencies/LTC', { scale: 8 });
      expect([added.statusCode, added.json()]).toEqual([200, { currency: 'LTC', scale: 8 }]);
    }
    expect((await send('PUT', '/operator/currencies/LTC', { scale: 9 })).json()).toMatchObject({
      status: 409,
      code: 'currency_exists',
    });
    for (const code of ['UNKNOWN', 'ltc', 'X', 'A'.repeat(17)])
      expect((await send('PUT', `/operator/currencies/${code}`, { scale: 8 })).statusCode).toBe(
        400,
      );
    expect((await send('PUT', '/operator/currencies/DOGE', { scale: 31 })).statusCode).toBe(400);
    expect((await tokenOf('LITECOIN', 'LTC')).json().tokens).toMatchObject([
      { currency: 'LTC', decimals: 8, min_deposit: 0.01 },
    ]);
    // The decimals of a coin are fixed.
    expect((await tokenOf('LITECOIN', 'LTC', 18)).json().errors[0].field).toBe('decimals');
    expect((await tokenOf('ETHEREUM', 'ETH', 6)).json().errors[0].field).toBe('decimals');
    // An unnamed coin is not configured: the contract was probably omitted.
    expect((await tokenOf(NETWORK, 'USDT', 18)).json().errors[0].field).toBe('contract_address');
    const utxo = { kind: 'utxo', address_prefix: 'rltc', uri_scheme: 'litecoin' };
    expect((await send('PUT', '/operator/chains/REGTEST', utxo)).statusCode).toBe(200);
    expect((await tokenOf('REGTEST', 'EDGE')).json().errors[0].field).toBe('contract_address');
    expect((await send('PUT', '/operator/chains/REGTEST', { coin: 'ETH' })).statusCode).toBe(200);
    expect((await tokenOf('REGTEST', 'ETH')).json().errors[0].code).toBe('coin_of_another_chain');
    // A mistake can be corrected, a fact of the chain cannot.
    expect((await send('PUT', '/operator/chains/REGTEST', { coin: 'EDGE' })).statusCode).toBe(200);
    expect((await tokenOf('REGTEST', 'EDGE')).statusCode).toBe(200);
    expect(
      (await send('PUT', '/operator/chains/REGTEST', { ...utxo, coin: 'LTC' })).json().tokens,
    ).toEqual([]);
    expect((await tokenOf('REGTEST', 'LTC')).json().tokens).toMatchObject([
      { currency: 'LTC', decimals: 8 },
    ]);
    for (const [field, value] of Object.entries({
      kind: 'evm',
      name: 'Other',
      address_prefix: 'ltc',
      uri_scheme: 'bitcoin',
      chain_id: 9,
    })) {
      expect(
        (await send('PUT', '/operator/chains/REGTEST', { [field]: value })).json().errors[0].field,
      ).toBe(field);
    }
    expect(
      (await send('PUT', '/operator/chains/LITECOIN', { coin: 'BTC' })).json().errors[0].field,
    ).toBe('coin');
    expect(
      (await send('PUT', '/operator/chains/OTHERNET', { kind: 'evm', chain_id: 5, coin: 'POL' }))
        .statusCode,
    ).toBe(200);
    expect((await tokenOf('OTHERNET', 'ETH')).json().errors[0].code).toBe('not_the_coin');
  });

  test('a contract that reports decimals other than the operator’s is refused', async () => {
    const wrong = await send('PUT', `/operator/chains/${NETWORK}/tokens/USDT`, {
      contract_address: usdt,
      decimals: 18,
      min_deposit: '1',
    });
    expect(wrong.json()).toMatchObject({
      status: 409,
      code: 'token_mismatch',
      contract_decimals: 6,
    });
    const none = await send('PUT', `/operator/chains/${NETWORK}/tokens/USDT`, {
      contract_address: anvil.accounts[0],
      decimals: 6,
      min_deposit: '1',
    });
    expect(none.json().code).toBe('token_mismatch');
    const typo = await send('PUT', `/operator/chains/${NETWORK}/tokens/USDT`, {
      contract_address: '0xdAC17F958D2ee523a2206206994597C13D831eC7',
      decimals: 6,
      min_deposit: '1',
    });
    expect(typo.json().errors[0].field).toBe('contract_address');
    const right = await send('PUT', `/operator/chains/${NETWORK}/tokens/USDT`, {
      contract_address: usdt,
      decimals: 6,
      min_deposit: '1.5',
    });
    expect(right.json().tokens).toMatchObject([
      { currency: 'USDT', contract_address: usdt, decimals: 6, min_deposit: 1.5, is_enabled: true },
    ]);
  });

  test('operators list, hold, release and reject deposits, but no credited one', async () => {
    alice = await bench.addPerson();
    for (const amount of [1n, 2n, 3n])
      await anvil.send({ to: usdt, data: anvil.encode('pay', [alice.address, amount * ONE_USDT]) });
    await anvil.mine(1);
    await bench.settle();
    const list = await send(
      'GET',
      `/operator/deposits?userId=${alice.userId}&currencyNetWork=${NETWORK}&current=1&size=20`,
    );
    expect(list.json()).toMatchObject({
      total: 3,
      records: [
        { amount: 3, user_id: alice.userId },
        { amount: 2 },
        { amount: 1, status: 'below_minimum' },
      ],
    });
    const [three, two, one] = list.json().records as { id: number }[];
    expect(
      (
        await send('POST', `/operator/deposits/${three?.id}/hold`, { reason: 'under review' })
      ).json(),
    ).toMatchObject({
      status: 'on_hold',
      reason: 'under review',
    });
    expect((await send('POST', `/operator/deposits/${one?.id}/hold`, {})).json()).toMatchObject({
      status: 'on_hold',
      reason: 'An operator is looking at it.',
      reason_code: 'operator_looks',
    });
    expect((await send('POST', `/operator/deposits/${one?.id}/reject`, {})).json()).toMatchObject({
      status: 'rejected',
      reason: 'An operator has rejected it.',
    });
    expect((await send('POST', `/operator/deposits/${one?.id}/hold`, {})).json()).toMatchObject({
      code: 'deposit_not_open',
      deposit_status: 'rejected',
    });
    expect((await send('POST', `/operator/deposits/${one?.id}/release`, {})).json().status).toBe(
      'confirming',
    );
    await anvil.mine(3);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'USDT')).toBe(3n * ONE_USDT);
    expect((await send('POST', `/operator/deposits/${two?.id}/hold`, {})).json()).toMatchObject({
      code: 'deposit_not_open',
      deposit_status: 'credited',
    });
    expect(
      (await send('POST', `/operator/deposits/${three?.id}/reject`, { reason: 'stolen' })).json(),
    ).toMatchObject({ status: 'rejected', reason: 'stolen' });
    for (const what of ['release', 'reject'])
      expect(
        (await send('POST', `/operator/deposits/${two?.id}/${what}`, {})).json(),
      ).toMatchObject({ code: 'deposit_not_open', deposit_status: 'credited' });
    expect((await send('POST', '/operator/deposits/999999/hold', {})).statusCode).toBe(404);
    expect((await send('POST', '/operator/deposits/abc/hold', {})).statusCode).toBe(404);
    const { rows: told } = await database.query<{ data: string }>(
      "select data from event where type like 'deposit.%' order by id",
    );
    const changesOf = (id: number | undefined): string[] =>
      told.flatMap(({ data }) => (JSON.parse(data).id === id ? [JSON.parse(data).status] : []));
    expect([one, two, three].map((deposit) => changesOf(deposit?.id))).toEqual([
      ['below_minimum', 'on_hold', 'rejected', 'confirming', 'credited'],
      ['confirming', 'credited'],
      ['confirming', 'on_hold', 'rejected'],
    ]);
    const rejected = await send('GET', '/operator/deposits?status=rejected&current=1&size=20');
    expect(rejected.json()).toMatchObject({ total: 1 });
    expect((await send('GET', '/operator/deposits?status=nope&current=1&size=20')).statusCode).toBe(
      400,
    );
    expect(
      (await send('GET', '/operator/deposits?currency=NOPE&current=1&size=20')).json().errors[0]
        .field,
    ).toBe('currency');
    expect(
      (await send('GET', '/operator/deposits?currency=UNKNOWN&current=1&size=20')).json(),
    ).toMatchObject({ total: 0 });
  });

  test('the report shows the state of the watcher, and a stalled one', async () => {
    const follows = await send('GET', '/operator/chains');
    const reportOf = (answer: typeof follows) =>
      (answer.json() as { network: string }[]).find(({ network }) => network === NETWORK);
    expect(reportOf(follows)).toMatchObject({
      state: 'following',
      lag: 0,
      cursor_height: await anvil.height(),
      endpoints: [{ is_healthy: false }, { is_healthy: true }],
      checked_at: clock.now().toISOString(),
      answered_at: clock.now().toISOString(),
    });
    const backfill = await send('POST', `/operator/chains/${NETWORK}/backfill`, { from_height: 1 });
    expect(backfill.statusCode).toBe(202);
    expect(backfill.json()).toMatchObject({ from_height: 1, to_height: await anvil.height() });
    clock.advance(61_000);
    expect(reportOf(await send('GET', '/operator/chains'))).toMatchObject({ state: 'stalled' });
  });

  test('the metrics show head, cursor, lag, halt, and the age of the last poll', async () => {
    const metrics = createMetrics();
    registerChainMetrics(metrics, database, clock);
    const figures = async (): Promise<number[]> => {
      const text = await metrics.registry.metrics();
      const names = [
        'head_height',
        'cursor_height',
        'lag_blocks',
        'halted',
        'unseen_seconds',
        'stalled',
      ];
      return names.map((name) =>
        Number(
          new RegExp(`^edge_account_chain_${name}\\{network="${NETWORK}"\\} (.+)$`, 'm').exec(
            text,
          )?.[1],
        ),
      );
    };
    const height = await anvil.height();
    expect(await figures()).toEqual([height, height, 0, 0, 61, 1]);
    await database.query(
      `update chain_state set head_height = head_height + 5, halted_at = now(),
        halted_reason_code = 'free_text', halted_reason_values = '{"text":"test"}'
       where network = $1`,
      [NETWORK],
    );
    expect(await figures()).toEqual([height + 5, height, 5, 1, 61, 0]);
  });

  test('a network is stalled when all its nodes are far behind or unusable', async () => {
    const stateNow = async () =>
      ((await send('GET', '/operator/chains')).json() as { network: string; state: string }[]).find(
        ({ network }) => network === NETWORK,
      );
    await database.query(
      `update chain_state set halted_at = null, checked_at = $2, head_height = cursor_height - 5
        where network = $1`,
      [NETWORK, clock.now()],
    );
    expect(await stateNow()).toMatchObject({ state: 'stalled', lag: 5 });
    const isDown = JSON.stringify([
      {
        url: anvil.url,
        is_healthy: false,
        failures: 1,
        last_error: { code: 'wrong_chain', values: { told: '2', expected: '1' } },
      },
    ]);
    await database.query(
      `update chain_state set head_height = null, cursor_height = null, cursor_hash = null,
         note_code = 'no_endpoint_answers', note_values = '{}', endpoints = $2 where network = $1`,
      [NETWORK, isDown],
    );
    expect(await stateNow()).toMatchObject({
      state: 'stalled',
      note: 'no RPC endpoint answers',
      note_code: 'no_endpoint_answers',
      endpoints: [
        {
          last_error: 'it is an RPC endpoint of the chain 2, not of 1',
          last_error_code: 'wrong_chain',
          last_error_values: { told: '2', expected: '1' },
        },
        { url: anvil.url },
      ],
    });
  });

  test('a halted network is shown before anything else', async () => {
    await database.query(
      `update chain_state set halted_at = now(), halted_reason_code = 'free_text',
        halted_reason_values = '{"text":"test"}'
       where network = $1`,
      [NETWORK],
    );
    const halted = (await send('GET', '/operator/chains')).json() as { network: string }[];
    expect(halted.find(({ network }) => network === NETWORK)).toMatchObject({
      state: 'halted',
      halted_reason: 'test',
    });
  });

  test('unswept balances are exported as the chain reports them, JSON and CSV', async () => {
    const json = await send('GET', `/operator/deposits/unswept?currencyNetWork=${NETWORK}`);
    expect(json.json()).toEqual([
      {
        currency_network: NETWORK,
        currency: 'USDT',
        contract_address: usdt,
        address: alice.address,
        derivation_path: '0/0',
        xpub: ACCOUNT_KEY,
        amount: 6,
      },
    ]);
    const csv = await send(
      'GET',
      `/operator/deposits/unswept?currencyNetWork=${NETWORK}`,
      undefined,
      'text/csv',
    );
    expect(csv.payload.split('\n')[1]).toBe(
      `${NETWORK},USDT,${usdt},${alice.address},0/0,${ACCOUNT_KEY},6`,
    );
    expect((await send('GET', '/operator/deposits/unswept?currencyNetWork=NOPE')).statusCode).toBe(
      400,
    );
    expect(
      (await send('GET', '/operator/deposits/unswept?currencyNetWork=POLYGON')).json().code,
    ).toBe('chain_unreachable');
  });
});
