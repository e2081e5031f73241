/**
 * History for a new service, for pictures: two months of rewards, the last day settled by the
 * service, and signed heads of the ledger.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Database, openEmbedded } from '../../../service/src/db/index.ts';
import { recordTraffic } from '../../../service/src/devices/index.ts';
import { installLedger, postTransfers, signDailyHead } from '../../../service/src/ledger/index.ts';
import { createManualClock } from '../../../service/src/lib/clock.ts';
import { parseAmount } from '../../../service/src/lib/money.ts';
import { createMasterKey, type MasterKey } from '../../../service/src/master-key.ts';
import { activateRules, draftRules, settleDue } from '../../../service/src/rewards/index.ts';
import { addOnline, insertDevice } from '../../../service/test/support/network.ts';
import type { ServiceProcess } from '../../../service/test/support/service-process.ts';
import { dailyRewards } from './seed.ts';
import type { SeededAccount } from './seed-account.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 25;
/** The period of the chart, and the one before that it is compared with. */
const DAYS = 60;
/** Decimals of the reward currency. */
const SCALE = 18;
const REWARDS = { rewardCurrency: 'EDGE', grace_s: 600, period: 'day' as const };
const RULES = {
  uptime: { amount: '0.5' },
  traffic: [{ category: '*', amount: '0.35' }],
  referral: [{ percent: '10', uptime_hours: 0, distinct_addresses: 0 }],
};

type Clock = ReturnType<typeof createManualClock>;

interface Node {
  readonly id: number;
  readonly nodeId: string;
}

/** Users joined some days apart, and their devices soon after; each referral has one device too. */
async function moveBack(
  database: Database,
  now_ms: number,
  { account, friends }: SeededAccount,
): Promise<Node[]> {
  const people = [account.userId, ...friends.map(({ userId }) => userId)];
  for (const { userId } of friends) await insertDevice(database, userId);
  for (const [at, userId] of people.entries()) {
    const joined = new Date(now_ms - (DAYS + 4 - 9 * at) * DAY_MS);
    await database.query('update app_user set created_at = $2 where id = $1', [userId, joined]);
    await database.query('update community_member set joined_at = $2 where user_id = $1', [
      userId,
      joined,
    ]);
    await database.query('update device set created_at = $2, bound_at = $2 where user_id = $1', [
      userId,
      new Date(joined.getTime() + HOUR_MS),
    ]);
  }
  await database.query(
    `update community_state
     set last_joined_at = (select max(joined_at) from community_member)`,
  );
  return (
    await database.query<Node>(
      'select id, node_id as "nodeId" from device where user_id = any ($1) order by id',
      [people],
    )
  ).rows;
}

/** Records the usage of hour `n`, with fixed irregular figures. */
async function recordUsage(
  { database, clock, nodes }: { database: Database; clock: Clock; nodes: readonly Node[] },
  hour: Date,
  n: number,
): Promise<void> {
  clock.set(new Date(hour.getTime() + HOUR_MS - 1));
  const online = nodes.map(({ id }, at) => ({
    deviceId: id,
    online_ms: HOUR_MS - (((n + 3) * (at + 2) * 7919) % 900_000),
  }));
  await addOnline(database, hour, online);
  const reports = nodes.map(({ nodeId }, at) => ({
    reportId: `past-${n}-${at}`,
    nodeId,
    bytesUp: BigInt(90_000_000 + ((n * 31 + at * 17) % 23) * 9_876_543),
    bytesDown: BigInt(310_000_000 + ((n * 37 + at * 11) % 29) * 12_345_678),
    from: hour,
    to: new Date(hour.getTime() + HOUR_MS),
  }));
  await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', reports);
}

/** Earnings before that day, posted day by day. */
async function earnEarlier(
  database: Database,
  clock: Clock,
  now_ms: number,
  { account, devices }: SeededAccount,
): Promise<void> {
  const nodeIds = devices.map(({ nodeId }) => nodeId);
  for (const reward of dailyRewards(now_ms - DAY_MS, nodeIds, DAYS).toReversed()) {
    const eventAt = new Date(reward.event_at);
    clock.set(eventAt);
    const posting = {
      idempotencyKey: randomUUID(),
      debit: { house: 'reward_pool' },
      credit: { userId: account.userId, wallet: 'bonus' },
      currency: REWARDS.rewardCurrency,
      amount: parseAmount(reward.amount, SCALE),
      businessId: 'reward',
      eventAt,
      rewardType: reward.reward_type,
      ...(reward.node_id !== undefined && { nodeId: reward.node_id }),
    } as const;
    const [result] = await postTransfers(database, [posting]);
    if (result?.status !== 'posted')
      throw new Error(`a reward was not posted: ${JSON.stringify(result)}`);
  }
}

async function live(
  database: Database,
  clock: Clock,
  now_ms: number,
  seeded: SeededAccount,
): Promise<void> {
  const nodes = await moveBack(database, now_ms, seeded);
  await earnEarlier(database, clock, now_ms, seeded);
  const first_ms = Math.floor(now_ms / HOUR_MS - HOURS) * HOUR_MS;
  clock.set(new Date(first_ms - HOUR_MS));
  const { version } = await draftRules(database, { clock, ...REWARDS }, RULES, 'operator');
  await activateRules(
    database,
    { clock, ...REWARDS },
    { version, from: new Date(first_ms), by: 'operator' },
  );
  for (let n = 0; n < HOURS; n++) {
    const hour = new Date(first_ms + n * HOUR_MS);
    await recordUsage({ database, clock, nodes }, hour, n);
    clock.set(new Date(Math.min(now_ms, hour.getTime() + HOUR_MS + REWARDS.grace_s * 1000)));
    await settleDue({ database, clock, ...REWARDS });
  }
  for (let days = 3; days >= 0; days--) {
    clock.set(new Date(now_ms - days * DAY_MS));
    await signDailyHead(database);
  }
}

/**
 * Adds it to a service with an embedded database, which is stopped during the change.
 * @param more further changes before it starts again
 */
export async function seedHistory(
  service: ServiceProcess,
  seeded: SeededAccount,
  more?: (database: Database, masterKey: MasterKey) => Promise<void>,
): Promise<void> {
  await service.stop();
  const database = await openEmbedded({ directory: join(service.dataDir, 'database') });
  const clock = createManualClock(new Date());
  const masterKey = createMasterKey(Buffer.from(service.env.MASTER_KEY ?? '', 'hex'));
  installLedger(database, { clock, masterKey });
  try {
    await live(database, clock, Date.now(), seeded);
    await more?.(database, masterKey);
  } finally {
    await database.close();
  }
  await service.start();
}
