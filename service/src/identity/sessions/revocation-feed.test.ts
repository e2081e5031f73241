import { expect, test } from 'vitest';
import type { Database, Row } from '../../db/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createTokenState } from './revocation-cache.ts';

interface Stored {
  readonly xid: number;
  readonly userId: number;
}

/** A cluster whose transactions and rows can be exchanged, as a failover or a restore does. */
function createCluster() {
  const at_ms = Date.now() + 1000;
  const cluster = { xmin: 1000, rows: [] as Stored[] };
  const database = {
    kind: 'server',
    isTransaction: false,
    prepared: async (_name: string, _text: string, [horizon]: readonly unknown[]) => {
      const rows: Row[] = cluster.rows
        .filter(({ xid }) => xid >= Number(horizon))
        .map(({ userId }) => ({
          horizon: String(cluster.xmin),
          kind: 'user',
          value: String(userId),
          reason: 'logout',
          spared_sid: null,
          effective_ms: at_ms,
          until_ms: at_ms + 3_600_000,
        }));
      const none: Row = { horizon: String(cluster.xmin), kind: null };
      return { rows: rows.length > 0 ? rows : [none], rowCount: 1 };
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
