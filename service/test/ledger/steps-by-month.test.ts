/** A step of a removal costs by its month, whatever a wallet has from before. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import {
  installLedger,
  type Posting,
  postTransfers,
  signDailyHead,
} from '../../src/ledger/index.ts';
import { packHouse, packPeople } from '../../src/ledger/removal/pack-wallets.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const DAY_MS = 86_400_000;
/** March has no head: its bills are packed with those of April. */
const MONTHS = [
  { first: '2026-01-01', next: '2026-02-01' },
  { first: '2026-02-01', next: '2026-03-01' },
  { first: '2026-03-01', next: '2026-04-01' },
  { first: '2026-04-01', next: '2026-05-01' },
  { first: '2026-05-01', next: '2026-06-01' },
];
/** They cover all but the last days of their months. */
const HEADS = ['2026-01-27', '2026-02-25', '2026-04-27', '2026-05-29'];
const BILLS_A_TIME = 12;
const DAYS_BETWEEN = 4;
const atOnce = { wallets: 1, positions: 60 };

type Clock = ReturnType<typeof createManualClock>;

function toReward(userId: number, clock: Clock, key: string): Posting {
  return {
    idempotencyKey: key,
    ...{ debit: { house: 'reward_pool' }, credit: { userId, wallet: 'bonus' } },
    ...{ currency: 'EDGE', amount: 5n, businessId: 'reward', rewardType: 'UPTIME' },
    eventAt: clock.now(),
  };
}

/** A wallet of five months. @param hasOther its first entry is never packed */
async function fill(database: Database, clock: Clock, hasOther: boolean): Promise<void> {
  const userId = await insertUser(database);
  if (hasOther) await postTransfers(database, [toReward(userId, clock, 'operator-reward:c:1')]);
  for (let n = 0; clock.now() < new Date('2026-06-01T00:00:00Z'); n++) {
    const day = clock.now().toISOString().slice(0, 10);
    if (n % DAYS_BETWEEN === 0)
      await postTransfers(
        database,
        Array.from({ length: BILLS_A_TIME }, (_, k) =>
          toReward(userId, clock, `reward-day:1:${day}:${userId}:UPTIME:${k}`),
        ),
      );
    if (HEADS.includes(day)) await signDailyHead(database);
    clock.advance(DAY_MS);
  }
}

/** @returns the steps of people of each month, and what is left of its bills */
async function removeAll(database: Database, clock: Clock) {
  const steps: number[] = [];
  const step = { database, now: clock.now(), atOnce };
  for (const month of MONTHS) {
    await database.query(
      `insert into ledger_removal (month, head_day, checked_at)
        select $1::date, max(day), $3 from ledger_head where day < $2`,
      [month.first, month.next, clock.now()],
    );
    let count = 0;
    while (await packPeople(step, month)) count++;
    while (await packHouse(step, month));
    steps.push(count);
  }
  const { rows } = await database.query<{ day: string }>(
    `select distinct created_at::date::text as day from transfer
      where idempotency_key ~ '^reward-day:' order by day`,
  );
  return { steps, left: rows.map(({ day }) => day) };
}

describe.each(RUN_ENGINES)('steps of a removal on %s', (engine) => {
  async function run(hasOther: boolean) {
    const clock = createManualClock('2026-01-01T00:00:00Z');
    const database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    await fill(database, clock, hasOther);
    const result = await removeAll(database, clock);
    await database.close();
    return result;
  }

  test('an entry that is never packed makes no more of them', async () => {
    const without = await run(false);
    expect(await run(true)).toEqual(without);
    // Nothing is missed: bills behind the last head of a month are packed with the next one.
    expect(without.left).toEqual([]);
  });
});
