import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, runAsService, runAudited, transaction } from '../db/index.ts';

const PAYOUT = 71;
const WITHDRAWAL = 81;
const HOLD_OF_PAYOUT = 82;
const SETTLEMENT = 91;
const RELEASE = 92;
const PURCHASE = 95;

describe.each(ENGINES)('the entry of a decision about money, on %s', (engine) => {
  let database: Database;
  let person: number;
  let last = 0;

  const run = (text: string): Promise<unknown> => database.query(text);
  /** As over a connection that is not one of the service. */
  const runByHand = (text: string): Promise<unknown> =>
    transaction(database, async (tx) => {
      await tx.query("set local application_name = 'psql'");
      await tx.query(text);
    });
  const buy = (id: number): string => `insert into package_purchase
    (id, user_id, currency, amount, reference, is_external, created_at) overriding system value
    values (${id}, ${person}, 'EDGE', 10, 'order', true, now())`;
  const placing = (hold: number, key: string): string => `insert into hold_step (id, hold_id, kind,
      amount, remaining, transfer_id, created_at, request_hash, idempotency_key)
    values (${hold}, ${hold}, 'place', 9, 9, null, now(), '', '${key}')`;
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
      values (${WITHDRAWAL}, ${person * 32 + 1}, 2, 1, 10, 10, 'open', now(), now(),
          'payout:1'),
        (${HOLD_OF_PAYOUT}, ${person * 32 + 1}, 2, 1, 9, 9, 'open', now(), now(),
          'payout:${PAYOUT}')`);
    await run(placing(HOLD_OF_PAYOUT, `payout/${PAYOUT}`));
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
    const money = { user_id: person, currency: 'ETH', amount: 1e-17 };
    expect(await readNew()).toEqual([
      {
        ...payout,
        before: { ...money, reason_code: 'needs_review' },
        after: { ...money, reason_code: 'needs_second_approval' },
      },
      {
        ...payout,
        before: { ...money, status: 'in_review', reason_code: 'needs_second_approval' },
        after: { ...money, status: 'approved', reason_code: 'approved_by_operators' },
      },
    ]);
  });

  test('of a withdrawal has its state; the hold of a payout has none of its own', async () => {
    await decide(`insert into hold_step (id, hold_id, kind, amount, remaining, transfer_id,
        created_at, request_hash, idempotency_key)
      values (${WITHDRAWAL + 10}, ${WITHDRAWAL}, 'settle', 4, 6, 33, '2026-11-10T12:00:00Z', '',
        'step');
      update hold set remaining = 6, updated_at = '2026-11-10T12:00:00Z'
      where id = ${WITHDRAWAL}`);
    await decide(`update hold set state = 'cancelled', remaining = 0
      where id in (${WITHDRAWAL}, ${HOLD_OF_PAYOUT})`);
    const withdrawal = { by: 'client', kind: 'withdrawals', of: String(WITHDRAWAL) };
    const money = { user_id: person, currency: 'USDT', amount: 0.00001 };
    expect(await readNew()).toEqual([
      {
        ...{ ...withdrawal, before: { ...money, remaining: 0.00001 } },
        after: { ...money, remaining: 0.000006, transfer_id: 33, settled_part: 0.000004 },
      },
      {
        ...{ ...withdrawal, before: { ...money, state: 'open', remaining: 0.000006 } },
        after: { ...money, state: 'cancelled', remaining: 0 },
      },
    ]);
  });

  test('of a hold is written whatever its reference says, unless a payout placed it', async () => {
    const hold = (id: number): string => `insert into hold (id, wallet_id, currency_id, business_id,
        amount, remaining, state, created_at, updated_at, reference)
      values (${id}, ${person * 32 + 1}, 2, 1, 3, 3, 'open', now(), now(), 'payout:${PAYOUT}')`;
    await decide(`${placing(83, 'withdrawal:user:1:payout/1')}; ${hold(83)}`);
    await decide(`${placing(84, 'payout/1')}; ${hold(84)}; update hold set remaining = 2
      where id = 84`);
    expect(await readNew()).toMatchObject([
      { kind: 'withdrawals', of: '83', after: { user_id: person, amount: 3e-6 } },
      { kind: 'request' },
    ]);
  });

  test('of a purchase has its values; its refund has before and after', async () => {
    await decide(buy(PURCHASE));
    await decide(`insert into package_refund (purchase_id, amount, reference, created_at,
        transfer_id) values (${PURCHASE}, 4, 'order', now(), 34);
      update package_purchase set refunded = 4 where id = ${PURCHASE}`);
    const money = { user_id: person, currency: 'EDGE', amount: 1e-17 };
    const entry = { by: 'client', kind: 'purchases', of: String(PURCHASE) };
    expect(await readNew()).toEqual([
      {
        ...{ ...entry, before: null },
        after: { ...money, refunded: 0, reference: 'order', is_external: true },
      },
      {
        ...entry,
        before: { ...money, refunded: 0 },
        after: { ...money, refunded: 4e-18, transfer_id: 34 },
      },
    ]);
    // The version before adds the refund later: none before it is named.
    await decide(`update package_purchase set refunded = 5 where id = ${PURCHASE}`);
    expect(await readNew()).toEqual([
      {
        ...{ ...entry, before: { ...money, refunded: 4e-18 } },
        after: { ...money, refunded: 5e-18 },
      },
    ]);
    // Neither a batch without an actor nor each row of an import has one.
    await run(buy(PURCHASE + 1));
    await run(`update package_purchase set refunded = 6 where id = ${PURCHASE}`);
    await decide(buy(PURCHASE + 2), 'command');
    expect(await readNew()).toMatchObject([{ by: 'command', kind: 'request', after: null }]);
  });

  test('is not written for jobs, signers and owners', async () => {
    const change = (text: string): Promise<unknown> =>
      runAsService('job test', () => transaction(database, (tx) => tx.query(text)));
    await change(`update payout set status = 'sent', reason_code = 'in_pool' where id = ${PAYOUT}`);
    await run(`update payout set status = 'signed' where id = ${PAYOUT}`);
    await change(`update hold set state = 'settled', remaining = 0 where id = ${WITHDRAWAL}`);
    await change(buy(PURCHASE + 3));
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
    await runByHand(`update reward_batch set closed_at = '${time}', closed_by = 'ops',
      close_reason = 'broken' where id = ${SETTLEMENT}`);
    await run(`insert into reward_batch (id, kind, hour, rule_version, state, referee_id, salt_key,
      created_at) overriding system value
      values (${RELEASE}, 'release', now(), 0, 'open', ${person}, '', '${time}'),
        (${RELEASE + 1}, 'release', now(), 0, 'open', ${person}, '', now())`);
    await decide(`update reward_user set released_at = '${time}', released_by = 'ops'
      where user_id = ${person}`);
    expect(await readNew()).toEqual([
      {
        ...{ by: 'database', kind: 'settlements', of: String(SETTLEMENT), before: null },
        after: { closed_at: expect.any(String), closed_by: 'ops', close_reason: 'broken' },
      },
      {
        ...{ by: 'client', kind: 'held-rewards', of: String(person), before: { user_id: person } },
        after: {
          ...{ user_id: person, settlement_id: RELEASE },
          ...{ released_at: expect.any(String), released_by: 'ops' },
        },
      },
    ]);
  });

  test('of held rewards names no settlement of another time', async () => {
    await run(`insert into reward_user (user_id, hold_reason, held_at)
      select id, 'shared_address', now() from app_user where id = ${await insertUser(database)}`);
    const { rows } = await database.query<{ user_id: number }>(
      `select user_id from reward_user where released_at is null`,
    );
    const other = rows[0]?.user_id;
    await run(`insert into reward_batch (id, kind, hour, rule_version, state, referee_id, salt_key,
      created_at) overriding system value
      values (${RELEASE + 2}, 'release', now(), 0, 'open', ${other}, '', '2026-11-01T12:00:00Z')`);
    await decide(`update reward_user set released_at = '2026-11-10T12:00:00Z'
      where user_id = ${other}`);
    expect(await readNew()).toMatchObject([
      { after: { released_at: expect.any(String), user_id: other } },
    ]);
    const { rowCount } = await database.query(
      `select from audit_entry where subject_id = '${other}' and after ? 'settlement_id'`,
    );
    expect(rowCount).toBe(0);
  });

  test('of a change by the service names its part', async () => {
    const stop = (currency: string): string => `insert into payout_stop
      (currency, reason, stopped_by, stopped_at) values ('${currency}', 'test', 'test', now())`;
    await runAsService('job test', () => transaction(database, (tx) => tx.query(stop('AAA'))));
    // The name of its connection proves nothing: any program may say it.
    await runAsService('job test', () => run(stop('BBB')));
    await runByHand(stop('CCC'));
    await transaction(database, (tx) => tx.query('select 1'));
    const { rows } = await database.query<object>(
      `select actor_kind as kind, actor_id as id, subject_id as of from audit_entry
       where audit_entry.id > $1 order by audit_entry.id`,
      [last],
    );
    expect(rows).toEqual([
      { kind: 'service', id: 'job test', of: 'AAA' },
      { kind: 'database', id: expect.stringMatching(/^\w+\/edge-account$/), of: 'BBB' },
      { kind: 'database', id: expect.stringMatching(/^\w+\/psql$/), of: 'CCC' },
    ]);
  });

  test('of work that an actor starts names the actor', async () => {
    const facts = { actor_kind: 'command', actor_id: 'root', operation: 'test' } as const;
    await runAudited({ ...facts, subject_kind: 'commands', subject_id: 'test' }, () =>
      runAsService('start', () =>
        database.query(`delete from payout_stop where currency in ('AAA', 'BBB', 'CCC')`),
      ),
    );
    expect(await readNew()).toMatchObject([
      { by: 'command' },
      { by: 'command' },
      { by: 'command' },
    ]);
  });
});
