/** What a round of the watch reads: devices in use, however many were deleted. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, planModesOf } from '../../test/read-plans/explain.ts';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { createServerDatabase, ownerUrl, queryAsOwner } from '../../test/support/databases.ts';
import { type Database, openServer } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { ROUND_MS, SETTLING_MS, watchDevices } from './watch-devices.ts';

const MINUTE_MS = 60_000;
const USERS = 100;
/** Of each user, beside one that is in use. */
const DELETED = 200;
/** Of a page of a hundred devices; with the deleted ones it would be thousands. */
const BLOCKS_MAX = 500;

const clock = createManualClock('2026-05-01T12:00:00Z');
let url: string;
let database: Database;

beforeAll(async () => {
  url = await createServerDatabase();
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  await database.query(
    `with owner as (
        insert into app_user (email, email_key, nickname, referral_code, created_at)
        select 'owner' || n, 'owner' || n, 'Owner', 'OWNER' || n, '2026-01-01'
        from generate_series(1, $1::int) n returning id
      )
      insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
        capabilities, requested_categories, registered_address, created_at, bound_at, cut,
        cut_reason, cut_at)
      select 'node-' || owner.id || '-' || d, owner.id, 'TERMINAL', '', '', '', 'UTC', '{}', '{}',
        '198.51.100.1', '2026-01-01', '2026-01-01', case when d > 0 then 'deleted' end,
        case when d > 0 then 'owner' end, case when d > 0 then '2026-02-01'::timestamptz end
      from owner cross join generate_series(0, $2::int) d`,
    [USERS, DELETED],
  );
  await queryAsOwner(database, 'analyze device');
});
afterAll(() => database.close());

test('a round looks at no deleted device', async () => {
  const recorder = recordStatements(database);
  const sent = await recorder.during(async () => {
    for (let passed = 0; passed <= SETTLING_MS + ROUND_MS; passed += MINUTE_MS) {
      await watchDevices(database, clock);
      clock.advance(MINUTE_MS);
    }
  });
  const reads = ['device-watch-end', 'device-watch-mark'].map((name) =>
    sent.find((statement) => statement.name === name),
  );
  const client = new pg.Client({ connectionString: ownerUrl(url) });
  await client.connect();
  for (const read of reads) {
    if (!read) throw new Error('the watch has not begun');
    for (const mode of planModesOf(read)) {
      const { blocks, rows, scanned } = await explain(client, read, mode, []);
      expect(rows, read.name).toBe(USERS);
      expect(blocks, read.name).toBeLessThan(BLOCKS_MAX);
      expect(scanned).not.toContain('device');
    }
  }
  await client.end();
});
