/** What the active rules pay for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { activateRules, draftRules, nextHour } from './manage-rules.ts';
import { readPaidKinds, readSchedule } from './read-schedule.ts';
import type { RulesBody } from './rules-schema.ts';

const NOTHING = { hasUptime: false, hasTraffic: false, hasReferral: false };
const level = (percent: string) => ({ percent, uptime_hours: 0, distinct_addresses: 0 });

describe.each(RUN_ENGINES)('what rules pay for on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:30:00Z');
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(async () => {
    await database.close();
  });

  async function activate(rules: RulesBody): Promise<Date> {
    const deps = { clock, rewardCurrency: 'EDGE' };
    const { version } = await draftRules(database, deps, rules, 'operator');
    const from = nextHour(clock.now());
    await activateRules(database, deps, { version, from, by: 'operator' });
    return from;
  }
  const read = () => readPaidKinds(database, clock.now());
  const isPaying = async () =>
    (await readSchedule(database, clock.now(), { grace_s: 600, period: 'hour' })).isPaying;

  test('nothing before the first hour of the first rules', async () => {
    expect(await read()).toEqual(NOTHING);
    const from = await activate({ uptime: { amount: '1' } });
    expect(await read()).toEqual(NOTHING);
    expect(await isPaying()).toBe(false);
    clock.set(from);
    expect(await read()).toEqual({ ...NOTHING, hasUptime: true });
  });

  test.each<[string, RulesBody, object]>([
    ['traffic', { traffic: [{ category: '*', amount: '0.1' }] }, { hasTraffic: true }],
    [
      'uptime and referrals',
      { uptime: { amount: '1' }, referral: [level('5')] },
      { hasUptime: true, hasReferral: true },
    ],
    ['a part of nothing', { referral: [level('5')] }, {}],
    [
      'rates of zero',
      {
        uptime: { amount: '0.00' },
        traffic: [{ category: '*', amount: '0' }],
        referral: [level('0')],
      },
      {},
    ],
    ['no part', { uptime: { amount: '1' }, referral: [level('0')] }, { hasUptime: true }],
    ['an end of rewards', {}, {}],
  ])('%s', async (_, rules, kinds) => {
    clock.set(await activate(rules));
    const known = await read();
    expect(known).toEqual({ ...NOTHING, ...kinds });
    expect(await isPaying()).toBe(known.hasUptime || known.hasTraffic);
  });
});
