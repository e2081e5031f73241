/** Eligibility sorts the devices that concern a referee who waits, whatever number there is. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain } from '../../test/read-plans/explain.ts';
import { type Recorder, recordStatements } from '../../test/read-plans/record-statements.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/network.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, openServer, transaction } from '../db/index.ts';
import { DISABLE_NESTED_LOOPS } from './compute-hour.ts';
import { recordEligibility } from './referral-eligibility.ts';

const HOUR = new Date('2026-05-01T00:00:00Z');
const OTHERS = 5000;
/** The devices of two referees, and those at the same address as one of them. */
const CONCERNED = 2 + 3;

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Node[];
}

const REFERRAL = [{ level: 1, millionths: 1n, uptime_ms: 1, addresses: 2 }];

class Undone extends Error {}

let url: string;
let database: Database;
let recorder: Recorder;

beforeAll(async () => {
  url = await createServerDatabase();
  database = await openServer({ url, poolSize: 2, onError: () => {} });
  recorder = recordStatements(database);
});
afterAll(() => database.close());

const sortsOf = (node: Node): Node[] => [
  ...(/Sort|WindowAgg/.test(node['Node Type']) ? [node] : []),
  ...(node.Plans ?? []).flatMap(sortsOf),
];

/** The most rows that a part of the evaluation sorts; it has no effect. */
async function sortedRows(): Promise<number> {
  const sent = await recorder.during(() =>
    transaction(database, async (tx) => {
      await recordEligibility(tx, HOUR, REFERRAL);
      throw new Undone();
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    }),
  );
  const read = sent.find(({ text }) => text.includes('window of_address'));
  if (!read) throw new Error('nothing was evaluated');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { plan } = await explain(client, read, 'force_custom_plan', [DISABLE_NESTED_LOOPS]);
  await client.end();
  return Math.max(...sortsOf(plan as Node).map((sort) => sort['Actual Rows']));
}

test('a referee with too few addresses waits, and no device of others is sorted', async () => {
  const referrer = await insertUser(database);
  const waiting = await insertUser(database, { referrerId: referrer });
  const sharing = await insertUser(database, { referrerId: referrer });
  await insertDevice(database, waiting, { address: '192.0.2.1' });
  for (const userId of [sharing, referrer, referrer, referrer])
    await insertDevice(database, userId, { address: '192.0.2.2' });
  await database.query(
    `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
        capabilities, requested_categories, registered_address, created_at, bound_at)
      select 'other ' || n, $1, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', 'other ' || n % 99,
        $2, $2
      from generate_series(1, $3::int) n`,
    [referrer, HOUR, OTHERS],
  );
  await database.query(
    'insert into reward_user (user_id, uptime_ms) select unnest($1::bigint[]), 1',
    [[waiting, sharing]],
  );
  await database.query('analyze');
  expect(await sortedRows()).toBe(CONCERNED);
  await transaction(database, (tx) => recordEligibility(tx, HOUR, REFERRAL));
  const { rows } = await database.query('select user_id, level from referral_eligibility');
  expect(rows).toEqual([{ user_id: sharing, level: 1 }]);
  expect(await sortedRows()).toBe(1);
});
