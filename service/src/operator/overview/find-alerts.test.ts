import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAlerts, LIMITS, type Measured } from './find-alerts.ts';
import { ALERTS, OWN_ALERTS } from './schemas.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const CALM: Measured = {
  now,
  networks: [{ network: 'ETHEREUM', state: 'following', lag_blocks: 0 }],
  codesOldest_s: 0,
  webhooksOldest_s: 0,
  pushesOldest_s: 0,
  retentionOverdue_s: { mail: 0 },
  settlementLag_s: 0,
  failedSettlements: 0,
  communityQueue: 0,
  payouts: [],
  verification: { at: new Date(now.getTime() - 48 * 3_600_000), findings: 0 },
};

const waits = (reason_code: string, hours: number) => ({
  payouts: [{ reason_code, count: 1, oldest_at: new Date(now.getTime() - hours * 3_600_000) }],
});

test('a calm network has no alert', () => {
  expect(findAlerts(CALM)).toEqual([]);
});

test.each<[object, object]>([
  [{ codesOldest_s: 61 }, { alert: 'EdgeAccountCodesLate' }],
  [{ webhooksOldest_s: 3601 }, { alert: 'EdgeAccountWebhooksLate' }],
  [{ settlementLag_s: 3601 }, { alert: 'EdgeAccountSettlementLate' }],
  [{ failedSettlements: 1 }, { alert: 'EdgeAccountSettlementFailed' }],
  [{ pushesOldest_s: 601 }, { alert: 'EdgeAccountPushesLate' }],
  [{ retentionOverdue_s: { mail: 3, event: 3601 } }, { alert: 'EdgeAccountRetentionLate' }],
  [{ verification: { at: now, findings: 1 } }, { alert: 'EdgeAccountBooksDiffer' }],
  [
    { verification: { at: new Date(now.getTime() - 48 * 3_600_000 - 1), findings: 0 } },
    { alert: 'EdgeAccountBooksUnverified' },
  ],
  [{ communityQueue: 10_001 }, { alert: 'EdgeAccountCommunityQueue' }],
  [waits('transaction_mismatch', 0), { alert: 'EdgeAccountPayoutMismatch' }],
  [waits('waits_for_hot_wallet', 0), { alert: 'EdgeAccountHotWalletSmall' }],
  [waits('approved_by_policy', 2), { alert: 'EdgeAccountPayoutsLate' }],
  [
    { networks: [{ network: 'POLYGON', state: 'halted' }] },
    { alert: 'EdgeAccountChainHalted', network: 'POLYGON' },
  ],
  [
    { networks: [{ network: 'POLYGON', state: 'stalled' }] },
    { alert: 'EdgeAccountChainStalled', network: 'POLYGON' },
  ],
])('%j raises one alert', (change, alert) => {
  expect(findAlerts({ ...CALM, ...change })).toEqual([alert]);
});

test('at a limit, and for reasons that people decide, there is no alert', () => {
  const atLimit = { codesOldest_s: 60, webhooksOldest_s: 3600, communityQueue: 10_000 };
  expect(findAlerts({ ...CALM, ...atLimit })).toEqual([]);
  const pushed = { pushesOldest_s: 600, retentionOverdue_s: { mail: 3600 } };
  expect(findAlerts({ ...CALM, ...pushed })).toEqual([]);
  expect(findAlerts({ ...CALM, verification: undefined })).toEqual([]);
  expect(findAlerts({ ...CALM, ...waits('needs_review', 50) })).toEqual([]);
  expect(findAlerts({ ...CALM, ...waits('in_pool', 0.5) })).toEqual([]);
});

test('names and limits are those of the rules for Prometheus', () => {
  const rules = readFileSync(
    new URL('../../../../deploy/prometheus/alerts.yml', import.meta.url),
    'utf8',
  );
  const limits = new Map(
    [...rules.matchAll(/alert: (\w+)\n\s+expr: .* > (\d+)\n/g)].map(([, name, limit]) => [
      name,
      Number(limit),
    ]),
  );
  for (const [name, limit] of Object.entries(LIMITS)) expect(limits.get(name), name).toBe(limit);
  const isOwn = (name: string): boolean => OWN_ALERTS.some((own) => own === name);
  for (const name of ALERTS) expect(rules.includes(`alert: ${name}\n`), name).toBe(!isOwn(name));
});
