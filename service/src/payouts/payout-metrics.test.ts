import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { createMetrics } from '../http/index.ts';
import { registerPayoutMetrics } from './index.ts';
import { stopCurrency } from './stop-currency.ts';

describe.each(RUN_ENGINES)('metrics of payouts on %s', (engine) => {
  const lab = usePayoutLab(engine);

  test('show what payouts wait for, and since when', async () => {
    const { database, clock } = lab.server;
    const metrics = createMetrics();
    registerPayoutMetrics(metrics, database, clock);
    const read = async (series: string) => {
      const lines = (await metrics.registry.metrics()).split('\n');
      const line = lines.find((one) => one.startsWith(`edge_account_${series} `));
      return Number(line?.split(' ').at(-1));
    };
    expect(await read('payouts{reason="transaction_mismatch"}')).toBe(0);
    expect(await read('payouts{reason="waits_for_hot_wallet"}')).toBe(0);
    const id = await lab.requested('1');
    const other = await lab.requested('1');
    await lab.server.review();
    await lab.server.take();
    const postponed = { payout_id: id, outcome: 'postponed', cause_code: 'hot_wallet' };
    await lab.server.report([postponed]);
    await database.query(
      `update payout set status = 'sent', reason_code = 'transaction_mismatch' where id = $1`,
      [other],
    );
    clock.advance(90_000);
    expect(await read('payouts{reason="transaction_mismatch"}')).toBe(1);
    expect(await read('payouts{reason="waits_for_hot_wallet"}')).toBe(1);
    expect(await read('payout_oldest_seconds{reason="waits_for_hot_wallet"}')).toBe(90);
    // What operators have stopped is not late.
    await stopCurrency(database, clock, { currency: 'ETH', reason: 'test', by: 'client:test' });
    expect(await read('payouts{reason="waits_for_hot_wallet"}')).toBe(0);
    expect(await read('payouts{reason="currency_stopped"}')).toBe(1);
    expect(await read('payouts{reason="transaction_mismatch"}')).toBe(1);
  });
});
