/**
 * The same watcher on a chain of the Bitcoin family: only the node behind the interface differs.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createDepositBench,
  type DepositBench,
  NETWORK,
  type Person,
} from '../../test/support/chains/deposit-bench.ts';
import {
  type Litecoin,
  litecoinMissing,
  startLitecoin,
} from '../../test/support/chains/litecoin.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { ensureCurrency } from '../ledger/index.ts';

const CONFIRMATIONS = 3;
const COIN = 100_000_000n;

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('watching a UTXO chain', () => {
  let database: Database;
  let node: Litecoin;
  let bench: DepositBench;
  let alice: Person;

  beforeAll(async () => {
    node = await startLitecoin();
    await node.mine(110);
    database = await openTestDatabase('server');
    await ensureCurrency(database, 'LTC', 8);
    bench = createDepositBench(database);
    await bench.configure([node.url], {
      startHeight: 105,
      identity: {
        kind: 'utxo',
        addressPrefix: 'rltc',
        uriScheme: 'litecoin',
        name: 'Litecoin regtest',
        coin: 'LTC',
      },
    });
    await bench.addToken('LTC', undefined, 8, { minDeposit: COIN / 1000n });
    alice = await bench.addPerson();
  });
  afterAll(async () => {
    await database.close();
    await node.stop();
  });

  const byHash = async (txHash: string) =>
    (await bench.deposits()).filter((deposit) => deposit.tx_hash === txHash);

  test('addresses are bech32 of the configured chain, and the node accepts them', async () => {
    expect(alice.address).toMatch(/^rltc1q/);
    expect(await node.call('validateaddress', [alice.address])).toMatchObject({
      isvalid: true,
      iswitness: true,
    });
  });

  test('a payment confirms and is credited exactly', async () => {
    const txHash = await node.call<string>('sendtoaddress', [alice.address, 0.12345678]);
    await node.mine(CONFIRMATIONS - 1);
    await bench.settle();
    expect(await byHash(txHash)).toMatchObject([
      { status: 'confirming', amount: '12345678', currency: 'LTC' },
    ]);
    await node.mine();
    await bench.settle();
    expect(await byHash(txHash)).toMatchObject([{ status: 'credited' }]);
    expect(await bench.balance(alice.userId, 'LTC')).toBe(12_345_678n);
  });

  test('two outputs of one transaction are two deposits', async () => {
    const bob = await bench.addPerson();
    const txHash = await node.call<string>('sendmany', [
      '',
      { [alice.address]: 1, [bob.address]: 2 },
    ]);
    await node.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await byHash(txHash)).toHaveLength(2);
    expect(await bench.balance(bob.userId, 'LTC')).toBe(2n * COIN);
  });

  test('newly mined coins wait for their maturity', async () => {
    const carol = await bench.addPerson();
    await node.call('generatetoaddress', [1, carol.address]);
    await node.mine(50);
    await bench.settle();
    expect(
      (await bench.deposits()).filter(({ user_id }) => user_id === carol.userId),
    ).toMatchObject([{ status: 'confirming' }]);
    await node.mine(49);
    await bench.settle();
    expect(
      (await bench.deposits()).filter(({ user_id }) => user_id === carol.userId),
    ).toMatchObject([{ status: 'credited' }]);
  });

  test('a reorganisation reverses, and re-inclusion credits again', async () => {
    const before = await bench.balance(alice.userId, 'LTC');
    const height = await node.height();
    const txHash = await node.call<string>('sendtoaddress', [alice.address, 3]);
    await node.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await bench.balance(alice.userId, 'LTC')).toBe(before + 3n * COIN);
    const first = await node.call<string>('getblockhash', [height + 1]);
    await node.call('invalidateblock', [first]);
    const own = await node.call<string>('getnewaddress');
    // Empty blocks: the payment stays in the pool.
    for (let blocks = 0; blocks < CONFIRMATIONS + 1; blocks++)
      await node.call('generateblock', [own, []]);
    await bench.settle();
    expect(await byHash(txHash)).toMatchObject([{ status: 'reversed' }]);
    expect(await bench.balance(alice.userId, 'LTC')).toBe(before);
    await node.mine(CONFIRMATIONS);
    await bench.settle();
    expect(await byHash(txHash)).toMatchObject([{ status: 'credited', epoch: 2 }]);
    expect(await bench.balance(alice.userId, 'LTC')).toBe(before + 3n * COIN);
  });

  test('a reorganisation beyond the window halts', async () => {
    await node.mine(30);
    await bench.settle();
    const first = await node.call<string>('getblockhash', [(await node.height()) - 25]);
    await node.call('invalidateblock', [first]);
    await node.mine(28);
    await bench.settle();
    expect((await bench.state())?.halted_reason).toContain('deeper than the 20 blocks');
    expect(
      (await database.query('select halted_at from chain_state where network = $1', [NETWORK]))
        .rows[0]?.halted_at,
    ).not.toBeNull();
  });
});
