/** An interrupted backfill, and tokens that report other decimals than are configured. */
import { describe, expect, test } from 'vitest';
import { clock } from '../../test/support/chains/deposit-bench.ts';
import { CONFIRMATIONS, ONE_USDT } from '../../test/support/chains/evm-lab.ts';
import { useFaultFixture } from '../../test/support/chains/fault-fixture.ts';
import { HANG_UP } from '../../test/support/chains/fault-proxy.ts';
import { requestBackfill } from './request-backfill.ts';

describe('an endpoint with faults', () => {
  const fixture = useFaultFixture();
  const { lab, payThree } = fixture;

  test('an interrupted backfill continues at its position, in any process', async () => {
    await payThree();
    await lab.anvil.mine(200);
    await lab.bench.settle();
    const bob = await lab.bench.addPerson();
    const late = '0x5a1e0000000000000000000000000000000000aa';
    await lab.payUsdt(late, 4n * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle();
    await lab.database.query(
      'update deposit_address set address = $1, address_key = $1 where user_id = $2',
      [late, bob.userId],
    );
    const { id } = await requestBackfill(
      lab.database,
      { network: await lab.bench.network(), clock },
      1,
    );
    const state = async () =>
      (
        await lab.database.query<{ next_height: number; found: number; finished_at: Date | null }>(
          'select * from chain_backfill where id = $1',
          [id],
        )
      ).rows[0];
    let left = 100;
    fixture.proxy.intercept(async ({ method, params }, ask) =>
      method === 'eth_getBlockByNumber' && params[1] === true && left-- <= 0 ? HANG_UP : ask(),
    );
    await lab.bench.settle();
    const cut = await state();
    expect(cut).toMatchObject({ finished_at: null, found: 0 });
    expect(cut?.next_height).toBeGreaterThan(1);
    fixture.proxy.intercept(undefined);
    fixture.proxy.log.length = 0;
    await lab.bench.settle();
    expect(await state()).toMatchObject({ found: 1, finished_at: expect.any(Date) });
    const heights = fixture.proxy.log
      .filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[1] === true)
      .map(({ params }) => Number(params[0]));
    expect(Math.min(...heights)).toBe(cut?.next_height);
    expect(await lab.bench.balance(bob.userId, 'USDT')).toBe(4n * ONE_USDT);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
  });

  test('a deposit of a token that reports false decimals is held', async () => {
    await lab.anvil.send({ to: lab.usdt, data: lab.anvil.encode('setDecimals', [18]) });
    await payThree();
    await lab.bench.settle();
    expect((await lab.bench.deposits()).map(({ status, reason }) => [status, reason])).toEqual(
      Array.from({ length: 3 }, () => [
        'on_hold',
        expect.stringContaining('reports 18 decimals, 6 are configured'),
      ]),
    );
    expect(await lab.bench.eventTypes()).toContain('chain.token_distrusted');
  });

  test('a deposit is held, not credited, if its token changes its decimals meanwhile', async () => {
    const watcher = await lab.bench.newWatcher();
    await lab.bench.settle(watcher);
    for (const amount of [1n, 2n]) await lab.payUsdt(lab.alice.address, amount * ONE_USDT);
    await lab.anvil.mine();
    await lab.bench.settle(watcher);
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'confirming',
      'confirming',
    ]);
    await lab.anvil.send({ to: lab.usdt, data: lab.anvil.encode('setDecimals', [18]) });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.bench.settle(watcher);
    expect((await lab.bench.deposits()).map(({ status }) => status)).toEqual([
      'on_hold',
      'on_hold',
    ]);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(0n);
  });
});
