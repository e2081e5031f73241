/** What a batch of traffic reports reads: its own devices, however many there are. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explain, planModesOf } from '../../test/read-plans/explain.ts';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { createServerDatabase, ownerUrl, queryAsOwner } from '../../test/support/databases.ts';
import { type Database, openServer } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { recordTraffic } from './record-traffic.ts';
import { REFUSAL_REASONS } from './refusal-reasons.ts';
import { storeRejectedReports } from './store-rejected-reports.ts';

const HOUR_MS = 3_600_000;
const DEVICES = 10_000;
const NODES = ['node-17', 'node-5000', 'node-9999'];
/** Owners of each of them, the present one included. */
const OWNERS = 3;
/** Of a lookup, whatever the number of devices. An index that is read as a whole has more. */
const BLOCKS_MAX = 50;

const clock = createManualClock('2026-05-01T12:00:00Z');
let url: string;
let database: Database;

/**
 * As many users as nodes: PostgreSQL would skip through an index that begins with few of them. Each
 * node is bound to one user, and was to the next ones, who deleted it.
 */
async function addDevices(): Promise<void> {
  await database.query(
    `insert into app_user (email, email_key, nickname, referral_code, created_at)
      select 'owner' || n, 'owner' || n, 'Owner', 'OWNER' || n, '2026-01-01'
      from generate_series(1, $1::int) n`,
    [DEVICES],
  );
  await database.query(
    `with owner as (
        select id, row_number() over (order by id) as n from app_user
      )
      insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
        capabilities, requested_categories, registered_address, created_at, bound_at, cut,
        cut_reason, cut_at)
      select 'node-' || d, owner.id, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', '198.51.100.1',
        '2026-01-01', '2026-01-01', case when later > 0 then 'deleted' end,
        case when later > 0 then 'owner' end,
        case when later > 0 then '2026-02-01'::timestamptz end
      from generate_series(1, $1::int) d cross join generate_series(0, $2::int - 1) later
        join owner on owner.n = (d + later) % $1::int + 1`,
    [DEVICES, OWNERS],
  );
  await queryAsOwner(database, 'analyze device');
}

beforeAll(async () => {
  url = await createServerDatabase();
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  await addDevices();
});
afterAll(() => database.close());

test('reports read the devices of their nodes only', async () => {
  const to = clock.now();
  const from = new Date(to.getTime() - HOUR_MS);
  const reports = NODES.map((nodeId, n) => ({
    ...{ reportId: `report-${n}`, nodeId, bytesUp: 1n, bytesDown: 2n, from, to },
  }));
  const rejected = NODES.map((nodeId, n) => ({
    ...{ reportId: '', nodeId, content: `malformed ${n}`, code: 'report_id_reused' as const },
    reason: REFUSAL_REASONS.create('id_reused'),
  }));
  const recorder = recordStatements(database);
  const sent = await recorder.during(async () => {
    const results = await recordTraffic(database, { clock, window_s: 86_400 }, 'relay', reports);
    expect(results.map(({ status }) => status)).toEqual(NODES.map(() => 'accepted'));
    await storeRejectedReports(database, clock, 'relay', rejected);
  });
  const reads = sent.filter(({ text }) => /from device where node_id/.test(text));
  expect(reads).toHaveLength(2);
  const client = new pg.Client({ connectionString: ownerUrl(url) });
  await client.connect();
  for (const read of reads)
    for (const mode of planModesOf(read)) {
      const { rows, blocks, scanned } = await explain(client, read, mode, []);
      expect(rows, read.text).toBe(NODES.length * OWNERS);
      expect(blocks, read.text).toBeLessThan(BLOCKS_MAX);
      expect(scanned).not.toContain('device');
    }
  await client.end();
});
