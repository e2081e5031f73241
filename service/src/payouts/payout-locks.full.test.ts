/**
 * What requests and reports do while another transaction holds what they need. The embedded
 * database has one connection, and no such waits.
 */
import { describe, expect, test } from 'vitest';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { ADVISORY_LOCKS, type Transaction, takeNamedLock, transaction } from '../db/index.ts';

class Undone extends Error {}

const REPORT = { outcome: 'sent', tx_hash: `0x${'ab'.repeat(32)}`, sender: `0x${'5e'.repeat(20)}` };

describe('payouts and locks that stay taken', () => {
  const lab = usePayoutLab('server');

  /** Runs `meanwhile` while a transaction has what `take` takes; then undoes it. */
  async function whileTaken<T>(
    take: (tx: Transaction) => Promise<unknown>,
    meanwhile: () => Promise<T>,
  ): Promise<T> {
    let result: T | undefined;
    const holding = transaction(lab.server.database, async (tx) => {
      await take(tx);
      result = await meanwhile();
      throw new Undone();
    });
    await expect(holding).rejects.toThrow(Undone);
    return result as T;
  }

  const key = 'in-flight';
  const request = (amount: string) => lab.server.request(lab.user, lab.address, amount, key);

  /** What the first request has until it ends: its key, the limits of its currency, a shard. */
  async function takeAsFirst(tx: Transaction): Promise<void> {
    const name = `payout:user:${lab.user}:${key}`;
    await takeNamedLock(tx, ADVISORY_LOCKS.idempotencyKey, name);
    await takeNamedLock(tx, ADVISORY_LOCKS.payoutLimits, 'ETH');
    await tx.query('select from ledger_shard for update');
  }

  test.each([
    ['is refused', '11', 'payout_above_limit'],
    ['is accepted', '1', undefined],
  ])(
    'a request that %s, while the first one with its key runs: 409',
    async (_how, amount, code) => {
      const answer = await whileTaken(takeAsFirst, () => request(amount));
      expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([
        ...[409, '1', 'idempotency_in_flight'],
      ]);
      expect((await request(amount)).json().code).toBe(code);
    },
  );

  test('a request that waits for the limits of its currency: 503', async () => {
    const answer = await whileTaken(
      (tx) => takeNamedLock(tx, ADVISORY_LOCKS.payoutLimits, 'ETH'),
      () => request('1'),
    );
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
  });

  /** Backends that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await lab.server.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  }

  test.each([
    ['owner', 'owner_inactive', async () => lab.user],
    ['approver', 'approver_inactive', async (operator: number) => operator],
  ])('the %s is being disabled: the report waits for it', async (_who, reason, choose) => {
    const operator = await lab.server.addOperator();
    const id = await lab.inReview('2');
    await lab.server.approve(id, operator);
    expect(await lab.takeOf(id)).toHaveLength(1);
    const userId = await choose(operator.userId);
    let reported: ReturnType<typeof lab.server.report> | undefined;
    await transaction(lab.server.database, async (tx) => {
      await tx.query(`update app_user set status = 'disabled' where id = $1`, [userId]);
      let isAnswered = false;
      reported = lab.server.report([{ ...REPORT, payout_id: id, nonce: id }]);
      void reported.then(() => {
        isAnswered = true;
      });
      while (!isAnswered && (await countWaiting()) === 0);
    });
    expect((await reported)?.json().code).toBe('payout_of_other_signer');
    expect(await lab.server.read(id)).toMatchObject({ status: 'in_review', reason_code: reason });
  });
});
