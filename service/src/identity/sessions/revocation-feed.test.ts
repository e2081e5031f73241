import { expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import type { Database } from '../../db/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createTokenState } from './revocation-cache.ts';

interface Stored {
  readonly xid: number;
  readonly userId: number;
}

const AT_MS = Date.now() + 1000;
const SHARED = {
  ...{ kind: 'user', reason: 'logout', spared_sid: null },
  ...{ effective_ms: AT_MS, until_ms: AT_MS + 3_600_000 },
};

/** A cluster whose transactions and rows can be exchanged, as a failover or a restore does. */
function createCluster() {
  const cluster = { xmin: 1000, rows: [] as Stored[] };
  const database = {
    kind: 'server',
    isTransaction: false,
    prepared: async (name: string, _text: string, [first]: readonly unknown[]) => {
      const horizon = String(cluster.xmin);
      if (name === 'token-revocations-horizon') return { rows: [{ horizon }], rowCount: 1 };
      if (name === 'token-revocations-page') {
        const rows = first === 0n ? cluster.rows : [];
        const values = rows.map(({ userId }) => String(userId));
        return { rows: values.map((value) => ({ ...SHARED, value: [value], last: '9' })) };
      }
      const rows = cluster.rows
        .filter(({ xid }) => xid >= Number(first))
        .map(({ userId }) => ({ ...SHARED, horizon, value: String(userId) }));
      return { rows: rows.length > 0 ? rows : [{ horizon, kind: null }] };
    },
  };
  return { cluster, database: database as unknown as Database };
}

test('a revocation is read although the numbers of transactions went back', async () => {
  const { cluster, database } = createCluster();
  const state = createTokenState(database, systemClock);
  const seen: string[] = [];
  state.onRevoked(({ value }) => seen.push(value));
  cluster.rows = [{ xid: 900, userId: 1 }];
  await state.catchUp();
  cluster.rows.push({ xid: 1000, userId: 2 });
  await state.catchUp();
  expect(seen).toEqual(['2']);
  // Another cluster: lower numbers, and a revocation that this instance has not seen.
  cluster.xmin = 50;
  cluster.rows = [
    { xid: 40, userId: 2 },
    { xid: 45, userId: 3 },
  ];
  await state.catchUp();
  expect(seen).toEqual(['2', '3']);
  cluster.rows.push({ xid: 50, userId: 4 });
  await state.catchUp();
  expect(seen).toEqual(['2', '3', '4']);
});

/** More than two pages. */
const MANY = 45_000;

test.each(RUN_ENGINES)('an instance that starts reads every page of them on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  await database.query(
    `insert into token_revocation (kind, value, reason, spared_sid, effective_at, until)
     select case n % 3 when 0 then 'sid' when 1 then 'jti' else 'user' end, n::text, 'logout',
       case when n % 3 = 2 then 'spared' end, now() + n * interval '1 microsecond',
       case when n % 10 = 9 then now() else now() + interval '1 hour' + n * interval '1 second' end
     from generate_series(1, ${MANY}) n`,
  );
  const state = createTokenState(database, systemClock);
  await state.start();
  const facts = { jti: 'none', issuedAt: new Date(0) };
  const reasonOf = (n: number) => {
    const value = String(n);
    if (n % 3 === 0) return state.known({ ...facts, sid: value });
    return state.known(n % 3 === 1 ? { ...facts, jti: value } : { ...facts, userId: n });
  };
  const expired: number[] = [];
  for (let n = 1; n <= MANY; n++) if (reasonOf(n) !== 'logout') expired.push(n);
  expect(expired).toEqual(Array.from({ length: MANY / 10 }, (_, i) => i * 10 + 9));
  const user = { ...facts, userId: MANY - 4 };
  expect(state.known({ ...user, sid: 'spared' })).toBeUndefined();
  expect(state.known({ ...user, issuedAt: new Date(Date.now() + 60_000) })).toBeUndefined();
  expect(state.known({ ...facts, userId: MANY })).toBeUndefined();
  state.stop();
  await database.close();
});
