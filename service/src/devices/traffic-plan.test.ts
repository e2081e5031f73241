/** What a batch of traffic reports reads: the devices that it names, however many others there are. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { explain } from '../../test/read-plans/explain.ts';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { openServer } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { recordTraffic } from './index.ts';

const NOW = new Date('2026-05-01T01:00:00Z');
const HOUR_MS = 3_600_000;
const DEVICES = 20_000;
/** Every fourth device was deleted. */
const FILL = `insert into device (node_id, user_id, device_type, browser, extension_version, os,
    timezone, capabilities, requested_categories, registered_address, created_at, bound_at, cut,
    cut_reason, cut_at)
  select 'many-' || n, $1, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', '', '2026-01-01', '2026-01-01',
    case n % 4 when 0 then 'deleted' end, case n % 4 when 0 then 'owner' end,
    case n % 4 when 0 then timestamptz '2026-02-01' end
  from generate_series(1, $2::int) n`;

test('reads no device that no report names', async () => {
  const url = await createServerDatabase();
  const database = await openServer({ url, poolSize: 4, onError: () => {} });
  const recorder = recordStatements(database);
  await database.query(FILL, [await insertUser(database), DEVICES]);
  await database.query('analyze device');
  const clock = createManualClock(NOW);
  const reports = ['many-1', 'many-4', 'many-777', 'unknown'].map((nodeId) => ({
    ...{ reportId: randomUUID(), nodeId, bytesUp: 1n, bytesDown: 1n },
    ...{ from: new Date(NOW.getTime() - HOUR_MS), to: NOW },
  }));
  const sent = await recorder.during(() =>
    recordTraffic(database, { clock, window_s: 604_800 }, 'relay', reports),
  );
  const reads = sent.filter(({ text }) => /from\s+device\s/.test(text));
  expect(reads.length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const read of reads)
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const { scanned, rows } = await explain(client, read, mode, []);
      expect(scanned, read.text).not.toContain('device');
      expect(rows, read.text).toBeLessThan(50);
    }
  await client.end();
  await database.close();
});
