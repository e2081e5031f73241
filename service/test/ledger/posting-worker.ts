/**
 * A process that posts until it receives a signal, or is killed. Arguments as one JSON: the URL of
 * the database, the prefix of its keys, and the receivers. Prints each key as soon as its posting
 * is acknowledged.
 */
import { writeSync } from 'node:fs';
import { openEmbedded, openServer } from '../../src/db/index.ts';
import { installLedger, type Posting, postTransfers } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { testMasterKey } from '../support/test-config.ts';

export interface PosterTask {
  readonly url?: string;
  readonly directory?: string;
  readonly prefix: string;
  readonly first: number;
  readonly count: number;
  readonly callers: number;
  readonly userIds: readonly number[];
}

/** The n-th posting of a prefix is always the same one. */
export function postingAt(
  { prefix, userIds }: Pick<PosterTask, 'prefix' | 'userIds'>,
  n: number,
): Posting {
  const person = (i: number) =>
    ({ userId: userIds[i % userIds.length] ?? 0, wallet: 'bonus' }) as const;
  return {
    idempotencyKey: `${prefix}:${n}`,
    // Mostly rewards; some transfers between users, in both directions at once, so that locks
    // cross.
    debit: n % 3 === 0 ? person(n) : { house: 'reward_pool' },
    credit: person(n + 1),
    currency: 'EDGE',
    amount: BigInt(1 + (n % 7)),
    businessId: n % 3 === 0 ? 'adjustment' : 'reward',
    rewardType: 'UPTIME',
    eventAt: new Date('2026-11-01T00:00:00Z'),
    mayOverdraw: true,
  };
}

if (import.meta.main) {
  const task = JSON.parse(process.argv[2] ?? '{}') as PosterTask;
  const database =
    task.url === undefined
      ? await openEmbedded({ ...(task.directory !== undefined && { directory: task.directory }) })
      : await openServer({ url: task.url, poolSize: 4, onError: () => {} });
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  let next = task.first;
  await Promise.all(
    Array.from({ length: task.callers }, async () => {
      while (next < task.first + task.count) {
        const n = next++;
        const [result] = await postTransfers(database, [postingAt(task, n)]);
        if (result?.status !== 'refused') writeSync(1, `${task.prefix}:${n}\n`);
      }
    }),
  );
  await database.close();
}
