import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createMetrics } from '../../http/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { addNotifications } from '../add-notifications.ts';
import { type PushOutcome, registerPushMetrics } from './push-metrics.ts';

describe.each(ENGINES)('metrics of Web Push on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  const metrics = createMetrics();
  let database: Database;
  let count: (outcome: PushOutcome) => void;
  let causes = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    count = registerPushMetrics(metrics, database, clock);
  });
  afterAll(() => database.close());

  const read = async (series: string): Promise<number> => {
    const lines = (await metrics.registry.metrics()).split('\n');
    const line = lines.find((one) => one.startsWith(`edge_account_push_${series} `));
    return Number(line?.split(' ').at(-1));
  };
  const readState = async (state: string) => [
    await read(`queue{state="${state}"}`),
    await read(`oldest_seconds{state="${state}"}`),
  ];
  async function openBrowser(userId: number, name: string): Promise<void> {
    await database.query(
      `insert into push_subscription
         (user_id, sid, endpoint_hash, target_sealed, sealed, language, created_at)
       values ($1, $2, $3, '', '', 'en', $4)`,
      [userId, name, Buffer.from(name), clock.now()],
    );
  }
  const tell = (userId: number) =>
    transaction(database, (tx) =>
      addNotifications(tx, clock, [
        {
          ...({ userId, kind: 'deposit', code: 'deposit_credited' } as const),
          ...{ details: {}, cause: `test/${++causes}`, createdAt: clock.now() },
        },
      ]),
    );

  test('what waits is counted for each browser, apart from what is tried again', async () => {
    for (const state of ['waiting', 'failing']) expect(await readState(state)).toEqual([0, 0]);
    const [ada, bob] = [await insertUser(database), await insertUser(database)];
    await openBrowser(ada, 'phone');
    await openBrowser(ada, 'laptop');
    await openBrowser(bob, 'other');
    await tell(ada);
    clock.advance(60_000);
    await tell(bob);
    clock.advance(30_000);
    expect(await readState('waiting')).toEqual([3, 90]);
    expect(await readState('failing')).toEqual([0, 0]);
    await database.query('update push_subscription set failures = 2 where user_id = $1', [ada]);
    expect(await readState('waiting')).toEqual([1, 30]);
    expect(await readState('failing')).toEqual([2, 90]);
    await database.query('delete from push_subscription');
    for (const state of ['waiting', 'failing']) expect(await readState(state)).toEqual([0, 0]);
  });

  test('each outcome is counted, and shown before there is one', async () => {
    const outcomes = ['delivered', 'retried', 'refused', 'gone', 'late', 'given_up'] as const;
    const readAll = () =>
      Promise.all(outcomes.map((outcome) => read(`deliveries_total{outcome="${outcome}"}`)));
    expect(await readAll()).toEqual([0, 0, 0, 0, 0, 0]);
    for (const [index, outcome] of outcomes.entries())
      for (let times = 0; times <= index; times++) count(outcome);
    expect(await readAll()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
