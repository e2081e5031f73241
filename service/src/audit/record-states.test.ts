import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, runAudited, transaction } from '../db/index.ts';

const PAYOUT = 71;
const WITHDRAWAL = 81;
const HOLD_OF_PAYOUT = 82;
const SETTLEMENT = 91;
const PURCHASE = 95;

describe.each(ENGINES)('the entry of a decision about money, on %s', (engine) => {
  let database: Database;
  let person: number;
  let last = 0;

  const run = (text: string): Promise<unknown> => database.query(text);
  /** As a request of an operator. */
  const decide = (text: string, actor_kind: 'client' | 'command' = 'client'): Promise<unknown> => {
    const facts = { actor_kind, actor_id: 'test', operation: 'decide' } as const;
    return runAudited({ ...facts, subject_kind: 'request', subject_id: '' }, () =>
      transaction(database, (tx) => tx.query(text)),
    );
  };
  /** Entries since the call before, oldest first. */
  const readNew = async (): Promise<object[]> => {
    const { rows } = await database.query<{ id: number }>(
      `select id, actor_kind as by, subject_kind as kind, subject_id as of, before, after
       from audit_entry where id > $1 order by id`,
      [last],
    );
    last = rows.at(-1)?.id ?? last;
    return rows.map(({ id: _, ...entry }) => entry);
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    person = await insertUser(database);
    await run(`insert into payout_policy (version, policy, created_by, created_at)
      values (1, '{}', 'test', now())`);
    await run(`insert into payout_address (id, user_id, network, address, address_key, label,
        created_at, usable_at) overriding system value
      select 1, ${person}, min(code), 'A', 'a', 'mine', now(), now() from network`);
    await run(`insert into payout (id, user_id, address_id, network, currency, amount, fee, hold_id,
        idempotency_key, request_hash, status, reason_code, policy_version, step_up, check_at,
        followed_at, requested_at, updated_at) overriding system value
      select ${PAYOUT}, ${person}, 1, min(code), 'ETH', 10, 1, ${HOLD_OF_PAYOUT}, 'key', 'hash',
        'in_review', 'needs_review', 1, 'email', now(), now(), now(), now() from network`);
    await run(`insert into hold (id, wallet_id, currency_id, business_id, amount, remaining, state,
        created_at, updated_at, reference)
      values (${WITHDRAWAL}, 1, 1, 1, 10, 10, 'open', now(), now(), null),
        (${HOLD_OF_PAYOUT}, 1, 1, 1, 9, 9, 'open', now(), now(), 'payout:${PAYOUT}')`);
    await run(`insert into reward_batch (id, kind, hour, rule_version, state, salt_key, created_at)
      overriding system value values (${SETTLEMENT}, 'hour', now(), 0, 'open', '', now())`);
    await run(`insert into reward_user (user_id, hold_reason, held_at)
      values (${person}, 'shared_address', now())`);
  });
  beforeEach(readNew);
  afterAll(() => database.close());

  test('of a payout has its state before and after', async () => {
    await decide(`update payout set reason_code = 'needs_second_approval' where id = ${PAYOUT}`);
    await decide(`update payout set status = 'approved', reason_code = 'approved_by_operators'
      where id = ${PAYOUT}`);
    const payout = { by: 'client', kind: 'payouts', of: String(PAYOUT) };
    expect(await readNew()).toEqual([
      {
        ...payout,
        before: { reason_code: 'needs_review' },
        after: { reason_code: 'needs_second_approval' },
      },
      {
        ...payout,
        before: { status: 'in_review', reason_code: 'needs_second_approval' },
        after: { status: 'approved', reason_code: 'approved_by_operators' },
      },
    ]);
  });

  test('of a withdrawal has its state; the hold of a payout has none of its own', async () => {
    await decide(`update hold set state = 'cancelled', remaining = 0
      where id in (${WITHDRAWAL}, ${HOLD_OF_PAYOUT})`);
    expect(await readNew()).toEqual([
      {
        ...{ by: 'client', kind: 'withdrawals', of: String(WITHDRAWAL) },
        ...{ before: { state: 'open' }, after: { state: 'cancelled' } },
      },
    ]);
  });

  test('of a purchase has its values; its refund has before and after', async () => {
    const buy = (id: number): string => `insert into package_purchase
      (id, user_id, currency, amount, reference, is_external, created_at) overriding system value
      values (${id}, ${person}, 'EDGE', 10, 'order', true, now())`;
    await decide(buy(PURCHASE));
    await decide(`update package_purchase set refunded = 4 where id = ${PURCHASE}`);
    const entry = { by: 'client', kind: 'purchases', of: String(PURCHASE) };
    expect(await readNew()).toEqual([
      {
        ...{ ...entry, before: null },
        after: {
          ...{ user_id: person, currency: 'EDGE', amount: 10, refunded: 0 },
          ...{ reference: 'order', is_external: true },
        },
      },
      { ...entry, before: { refunded: 0 }, after: { refunded: 4 } },
    ]);
    // Neither a batch without an actor nor each row of an import has one.
    await run(buy(PURCHASE + 1));
    await run(`update package_purchase set refunded = 5 where id = ${PURCHASE}`);
    await decide(buy(PURCHASE + 2), 'command');
    expect(await readNew()).toMatchObject([{ by: 'command', kind: 'request', after: null }]);
  });

  test('is not written for jobs, signers and owners', async () => {
    await run(`update payout set status = 'sent', reason_code = 'in_pool' where id = ${PAYOUT}`);
    await run(`update hold set state = 'settled', remaining = 0 where id = ${WITHDRAWAL}`);
    // The setting of an actor ends with the transaction, and is empty in the next one.
    await transaction(database, (tx) =>
      tx.query(`update payout set status = 'confirmed' where id = ${PAYOUT}`),
    );
    await run(`update reward_batch set state = 'computed', period = 'day'
      where id = ${SETTLEMENT}`);
    await run(`update reward_user set uptime_ms = uptime_ms + 1 where user_id = ${person}`);
    expect(await readNew()).toEqual([]);
  });

  test('of a settlement and of held rewards says who ended them, by hand too', async () => {
    const time = '2026-11-10T12:00:00+00:00';
    await run(`update reward_batch set closed_at = '${time}', closed_by = 'ops',
      close_reason = 'broken' where id = ${SETTLEMENT}`);
    await decide(`update reward_user set released_at = '${time}', released_by = 'ops'
      where user_id = ${person}`);
    expect(await readNew()).toEqual([
      {
        ...{ by: 'database', kind: 'settlements', of: String(SETTLEMENT), before: null },
        after: { closed_at: expect.any(String), closed_by: 'ops', close_reason: 'broken' },
      },
      {
        ...{ by: 'client', kind: 'held-rewards', of: String(person), before: null },
        after: { released_at: expect.any(String), released_by: 'ops' },
      },
    ]);
  });
});
