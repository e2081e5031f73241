import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, type Transaction, transaction } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import { Failure } from '../lib/failures.ts';
import { type Order, sellPackages } from './sell-packages.ts';

// On the server only: the embedded database has one connection.
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('server');
});
afterAll(() => database.close());

const sell = (order: Order, tx?: Transaction) =>
  transaction(tx ?? database, (inner) => sellPackages(inner, systemClock, [order]));

test('an order that another instance sells meanwhile has the same purchase', async () => {
  const order: Order = {
    idempotencyKey: 'purchase:raced',
    requestHash: '0'.repeat(32),
    userId: await insertUser(database),
    currency: 'EDGE',
    amount: 5n,
    reference: 'order',
    isExternal: true,
  };
  let first: Awaited<ReturnType<typeof sell>> = [];
  const [second] = await transaction(database, (tx) => {
    const prepared: Transaction['prepared'] = async (name, text, values) => {
      if (name === 'ledger_lock_batch') first = await sell(order);
      return tx.prepared(name, text, values);
    };
    return sell(order, { ...tx, prepared });
  });
  const [sale] = first;
  if (!sale || sale instanceof Failure) throw sale ?? new Error('nothing was sold');
  expect(sale.isReplay).toBe(false);
  expect(second).toEqual({ ...sale, isReplay: true });
});
