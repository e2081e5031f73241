/** An hour of some thousand people who brought each other, settled while PostgreSQL knows nothing of them yet. */
import { expect, test } from 'vitest';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { activateRules, draftRules, settleDue, verifySettlements } from '../../src/rewards/index.ts';
import { openTestDatabase } from '../support/databases.ts';
import { testMasterKey } from '../support/test-config.ts';

const PEOPLE = 6000;
const HOUR = new Date('2026-05-01T00:00:00Z');
const UNIT = 10n ** 18n;
const RULES = {
  uptime: { amount: '1' },
  referral: [20, 10, 5].map((percent) => ({ percent: String(percent), uptime_hours: 0, distinct_addresses: 1 })),
};

const FILL = [
  // What is analyzed while it is empty is taken for a row or two until the next vacuum.
  'analyze',
  `insert into app_user (email, email_key, nickname, referral_code, created_at)
     select 'u' || n || '@example.test', 'u' || n || '@example.test', 'u' || n, 'R' || n, '2026-01-01' from generate_series(1, ${PEOPLE}) n`,
  'update app_user u set referrer_id = r.id from app_user r where r.id = u.id / 3',
  `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone, capabilities, requested_categories, registered_address,
     created_at, bound_at) select 'node-' || id, id, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', '10.0.' || id / 250 || '.' || id % 250, '2026-01-01', '2026-01-01' from app_user`,
  `insert into device_hour (device_id, hour, online_ms) select id, '${HOUR.toISOString()}', 3600000 from device`,
];

test('is joined as a whole, not one by one', async () => {
  const database = await openTestDatabase('server');
  const clock = createManualClock(new Date(HOUR.getTime() - 1));
  installLedger(database, { clock, masterKey: testMasterKey });
  const deps = { database, clock, rewardCurrency: 'EDGE', grace_s: 600 };
  const draft = await draftRules(database, deps, RULES, 'test');
  await activateRules(database, deps, draft.version, HOUR, 'test');
  for (const statement of FILL) await database.query(statement);
  clock.set(new Date(HOUR.getTime() + 3_600_000 + 600_000));
  await settleDue(deps);
  const { rows } = await database.query<{ level: number; amount: string; lines: number }>(
    "select level, sum(amount)::text as amount, count(*) as lines from reward_line where status = 'paid' group by level order by level",
  );
  const parentOf = (id: number): number => Math.floor(id / 3);
  const below = [0, 1, 2, 3].map((level) => Array.from({ length: PEOPLE }, (_, i) => i + 1).filter((id) => Math.floor(id / 3 ** level) > 0));
  const referrers = (level: number): number => new Set(below[level]?.map((id) => Array.from({ length: level }).reduce<number>(parentOf, id))).size;
  expect(rows).toEqual([
    { level: 0, amount: String(BigInt(PEOPLE) * UNIT), lines: PEOPLE },
    ...[20n, 10n, 5n].map((percent, i) => ({
      level: i + 1,
      amount: String((BigInt(below[i + 1]?.length ?? 0) * percent * UNIT) / 100n),
      lines: referrers(i + 1),
    })),
  ]);
  expect((await verifySettlements(database)).problems).toEqual([]);
  await database.close();
});
