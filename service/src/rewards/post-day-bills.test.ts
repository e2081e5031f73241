/** What the payment of a day reads: the lines of a step, whatever number the day has. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain } from '../../test/read-plans/explain.ts';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { createDayNetwork } from '../../test/support/day-network.ts';
import { type Database, openServer } from '../db/index.ts';
import { settleDue } from './index.ts';
import { postDayBills } from './post-day-bills.ts';
import { listPaid } from './settlements.ts';

const HOUR_MS = 3_600_000;
/** Lines of others in each settlement. */
const OTHERS = 10_000;
/** What a step of one user may read; each settlement has more lines. */
const ROWS_MAX = 200;

let url: string;
let database: Database;
let lab: Awaited<ReturnType<typeof createDayNetwork>>;

beforeAll(async () => {
  url = await createServerDatabase();
  database = await openServer({ url, poolSize: 8, onError: () => {} });
  lab = await createDayNetwork(database, 1);
});
afterAll(() => database.close());

/** Lines of users who are in no step. */
async function addLines(settlement: number, hours: readonly Date[]): Promise<void> {
  await database.query(
    `insert into reward_line (batch_id, leaf, hour, user_id, device_id, rule_version, level, part,
        reward_type, status, node_id, quantity, rate, settled_before, amount)
      select $1, 1000000 + (h.n - 1) * $3::int + l, h.hour, 1000000 + l, l, 1, 0, '', 'UPTIME',
        'paid', '', 1, 1, 0, 1
      from unnest($2::timestamptz[]) with ordinality as h (hour, n)
        cross join generate_series(1, $3::int) l`,
    [settlement, hours, OTHERS],
  );
}

/** A correction of hours of a day, and the hours themselves. @returns the payment of all */
async function openPayment(day: Date): Promise<number> {
  const hours = [0, 1].map((hour) => new Date(day.getTime() + hour * HOUR_MS));
  const { rows } = await database.query<{ id: number }>(
    `with payment as (insert into reward_payment (created_at) values ($1) returning id),
      correction as (
        insert into reward_batch (kind, hour, rule_version, state, period, salt_key, lines,
          created_at, payment_id)
        select 'correction', $1, 0, 'computed', 'day', '', 2 * $2::int, $1, id from payment
      ),
      hours as (update reward_batch set payment_id = (select id from payment) where kind = 'hour'),
      steps as (
        insert into reward_payment_step (payment_id, first_user, next_user)
        select p.id, u.id, lead(u.id, 1, 1000000::bigint) over (order by u.id)
        from payment p cross join app_user u
      )
    select id from payment`,
    [day, OTHERS],
  );
  const payment = rows[0]?.id ?? 0;
  for (const { id, kind, hour } of await listPaid(database, payment))
    await addLines(id, kind === 'hour' ? [hour] : hours);
  await database.query('analyze reward_line');
  return payment;
}

test('pays a day, and reads no line of others', async () => {
  const day = await lab.useDay([0, 1]);
  await settleDue(lab.deps());
  const paymentId = await openPayment(day);
  const settlements = await listPaid(database, paymentId);
  const recorder = recordStatements(database);
  const sent = await recorder.during(() =>
    postDayBills(database, { paymentId, settlements, currency: 'EDGE' }),
  );
  const reads = sent.filter(({ text }) => /from\s+reward_line/.test(text));
  // The range of hours, and the bills of each step.
  expect(reads).toHaveLength(1 + lab.network.users.length);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const read of reads)
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const { rows, scanned } = await explain(client, read, mode, []);
      expect(rows, read.text).toBeLessThan(ROWS_MAX);
      expect(scanned).not.toContain('reward_line');
    }
  await client.end();
  expect((await lab.billsOf(day)).length).toBeGreaterThan(5);
});
