/** A refusal waits for all shards: a transaction that has one waits for nothing that it locked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, openServer, type Transaction, transaction } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import { Failure, failure } from '../lib/failures.ts';
import { installLedger, openAccounts, placeHold, postTransfers } from './index.ts';
import { refuseRequest } from './with-idempotency-key.ts';

// On the server only: the embedded database has one connection.
let database: Database;
beforeAll(async () => {
  database = await openServer({
    url: await createServerDatabase(),
    poolSize: 6,
    onError: () => {},
  });
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
});
afterAll(() => database.close());

const hashOf = (text: string) => Buffer.from(text.padEnd(16, '.')).toString('hex');
const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/** Runs it as a request does; returns its result, and why its tries failed. */
async function runWithErrors<T>(work: (tx: Transaction) => Promise<T>) {
  let errors: readonly unknown[] = [];
  const result = await transaction(database, (tx) => {
    errors = tx.earlierErrors;
    return work(tx);
  });
  return { result, codes: errors.map(codeOf) };
}

test('transactions that have posted and then refuse do not wait for each other', async () => {
  const posted = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runs = await Promise.all(
    posted.map(async (own, i) => {
      const user = await insertUser(database);
      return runWithErrors(async (tx) => {
        await postTransfers(tx, [
          {
            idempotencyKey: `before-${i}`,
            debit: { house: 'reward_pool' },
            credit: { userId: user, wallet: 'bonus' },
            currency: 'EDGE',
            amount: 1n,
            businessId: 'reward',
            eventAt: systemClock.now(),
          },
        ]);
        own.resolve();
        // Each has a shard now.
        if (tx.earlierErrors.length === 0) await Promise.all(posted.map(({ promise }) => promise));
        const key = { idempotencyKey: `refused-${i}`, requestHash: hashOf('request') };
        return refuseRequest(tx, key, failure('not_found'));
      });
    }),
  );
  for (const { result, codes } of runs) {
    expect(result).toBeInstanceOf(Failure);
    expect(result.code).toBe('not_found');
    expect(codes).not.toContain('40P01');
  }
});

/** Sessions of this database that wait for a lock. */
async function countWaiting(): Promise<number | undefined> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
}

test('a request has no shard while it waits for an account that was opened meanwhile', async () => {
  const user = await insertUser(database);
  const held = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const holding = transaction(database, async (tx) => {
    await tx.query('select from ledger_shard for update');
    held.resolve();
    await opened.promise;
  });
  await held.promise;
  const looked = Promise.withResolvers<void>();
  const hold = runWithErrors((tx) => {
    // It looks for accounts, finds none, and then looks for a shard until there is one.
    const query: Transaction['query'] = (text, values) => tx.query(text, values);
    const prepared: Transaction['prepared'] = (name, text, values) => {
      if (name === 'ledger_free_shard') looked.resolve();
      return tx.prepared(name, text, values);
    };
    return placeHold({ ...tx, query, prepared } as Transaction, {
      idempotencyKey: 'hold',
      account: { userId: user, wallet: 'asset' },
      currency: 'EDGE',
      amount: 1n,
      businessId: 'withdrawal',
    });
  });
  await looked.promise;
  await transaction(database, (tx) => openAccounts(tx, user));
  // What a refusal does: the accounts, then all shards.
  await transaction(database, async (tx) => {
    await tx.query('select from account where user_id = $1 for no key update', [user]);
    opened.resolve();
    await holding;
    await expect.poll(countWaiting).toBe(1);
    await tx.query('select from ledger_shard order by shard for no key update');
  });
  const { result, codes } = await hold;
  expect(result).toEqual({ status: 'refused', code: 'insufficient_funds' });
  expect(codes).not.toContain('40P01');
});
