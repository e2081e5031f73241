/**
 * History for a new service, for pictures: two months of usage and rewards that agree with each
 * other, the last days settled by the service, and signed heads of the ledger.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Database, openEmbedded } from '../../../service/src/db/index.ts';
import { installLedger, postTransfers, signDailyHead } from '../../../service/src/ledger/index.ts';
import { createManualClock } from '../../../service/src/lib/clock.ts';
import { createMasterKey, type MasterKey } from '../../../service/src/master-key.ts';
import { activateRules, draftRules, settleDue } from '../../../service/src/rewards/index.ts';
import { insertDevice } from '../../../service/test/support/network.ts';
import type { ServiceProcess } from '../../../service/test/support/service-process.ts';
import type { SeededAccount } from './seed-account.ts';
import { DAY_MS, HOUR_MS, listUsage, type Node, recordUsage, type Usage } from './seed-usage.ts';

/** The period of the chart, and the one before that it is compared with. */
const DAYS = 60;
/** Those of the uptime strip: they are settled by the service, and can be verified. */
const DAYS_SETTLED = 7;
const REWARDS = { rewardCurrency: 'EDGE', grace_s: 600, period: 'day' as const };
/** Who shares an address with others counts, and what they bring waits for an operator. */
const RULES = {
  uptime: { amount: '0.5' },
  traffic: [{ category: '*', amount: '0.35' }],
  referral: [{ percent: '10', uptime_hours: 0, distinct_addresses: 1 }],
};
/** The same rates in minor units, for the days before. */
const AN_HOUR = 500_000_000_000_000_000n;
const A_GIGABYTE = 350_000_000_000_000_000n;
const A_BONUS = 12_500_000_000_000_000_000n;
const GIGABYTE = 1_000_000_000n;
const BONUS_EVERY_DAYS = 5;
const SHARED_ADDRESS = '203.0.113.7';

type Clock = ReturnType<typeof createManualClock>;

/**
 * Users joined some days apart, and their devices soon after; each referral has one device too, and
 * the last two share an address.
 */
async function moveBack(
  database: Database,
  now_ms: number,
  { account, friends }: SeededAccount,
): Promise<Node[]> {
  const people = [account.userId, ...friends.map(({ userId }) => userId)];
  for (const [at, { userId }] of friends.entries())
    await insertDevice(database, userId, at === 0 ? {} : { address: SHARED_ADDRESS });
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
  const { rows } = await database.query<Node>(
    `select id, node_id as "nodeId", user_id as "userId", created_at as "createdAt"
     from device where user_id = any ($1) order by id`,
    [people],
  );
  return rows;
}

interface Earned {
  readonly userId: number;
  readonly rewardType: string;
  readonly amount: bigint;
  readonly eventAt: Date;
  readonly nodeId?: string;
}

/** What a device earned on a day, dated to its last hour online. */
function earnedBy(node: Node, usage: readonly Usage[]): Earned[] {
  const own = usage.filter((entry) => entry.node === node);
  const last = own.at(-1);
  if (!last) return [];
  const of = { userId: node.userId, nodeId: node.nodeId, eventAt: last.hour };
  const online_ms = own.reduce((sum, entry) => sum + entry.online_ms, 0);
  const bytes = own.reduce((sum, entry) => sum + entry.bytesUp + entry.bytesDown, 0n);
  return [
    { ...of, rewardType: 'UPTIME', amount: (AN_HOUR * BigInt(online_ms)) / BigInt(HOUR_MS) },
    { ...of, rewardType: 'TRAFFIC', amount: (A_GIGABYTE * bytes) / GIGABYTE },
  ];
}

async function pay(database: Database, rewards: readonly Earned[]): Promise<void> {
  const results = await postTransfers(
    database,
    rewards.map(({ userId, ...reward }) => ({
      idempotencyKey: randomUUID(),
      debit: { house: 'reward_pool' },
      credit: { userId, wallet: 'bonus' },
      currency: REWARDS.rewardCurrency,
      businessId: 'reward',
      ...reward,
    })),
  );
  const refused = results.find(({ status }) => status !== 'posted');
  if (refused) throw new Error(`a reward was not posted: ${JSON.stringify(refused)}`);
}

/** A UTC day before the rules: its usage, and what the operator paid for it by hand. */
async function liveEarlierDay(
  database: Database,
  clock: Clock,
  nodes: readonly Node[],
  { start_ms, userId }: { readonly start_ms: number; readonly userId: number },
): Promise<void> {
  clock.set(new Date(start_ms + DAY_MS));
  const usage = listUsage(nodes, start_ms, start_ms + DAY_MS);
  await recordUsage(database, clock, usage);
  const isBonusDay = (start_ms / DAY_MS) % BONUS_EVERY_DAYS === 0;
  const eventAt = new Date(start_ms + DAY_MS / 2);
  await pay(database, [
    ...nodes.flatMap((node) => earnedBy(node, usage)),
    ...(isBonusDay ? [{ userId, rewardType: 'BONUS', amount: A_BONUS, eventAt }] : []),
  ]);
}

/** A day under the rules, as far as it is over. */
async function liveSettledDay(
  database: Database,
  clock: Clock,
  nodes: readonly Node[],
  { start_ms, now_ms }: { readonly start_ms: number; readonly now_ms: number },
): Promise<void> {
  const end_ms = Math.min(start_ms + DAY_MS, Math.floor(now_ms / HOUR_MS) * HOUR_MS);
  clock.set(new Date(end_ms));
  await recordUsage(database, clock, listUsage(nodes, start_ms, end_ms));
  clock.set(new Date(Math.min(now_ms, end_ms + REWARDS.grace_s * 1000)));
  await settleDue({ database, clock, ...REWARDS });
}

/** The database of a service that is stopped, and the clock of its ledger. */
export interface SeedStage {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
}

/** What happens besides, at a time of its own. */
export interface SeededEvent {
  readonly at_ms: number;
  run(): Promise<void>;
}

/** Runs what is due before an instant, in its order: the books are written forwards. */
function createAgenda(clock: Clock, events: readonly SeededEvent[]) {
  const open = events.toSorted((one, other) => one.at_ms - other.at_ms);
  return async (before_ms: number): Promise<void> => {
    for (let [next] = open; next && next.at_ms < before_ms; [next] = open) {
      clock.set(new Date(next.at_ms));
      await next.run();
      open.shift();
    }
  };
}

async function live(
  database: Database,
  clock: Clock,
  now_ms: number,
  { seeded, events }: { seeded: SeededAccount; events: readonly SeededEvent[] },
): Promise<void> {
  const nodes = await moveBack(database, now_ms, seeded);
  const runEventsBefore = createAgenda(clock, events);
  const today_ms = Math.floor(now_ms / DAY_MS) * DAY_MS;
  const rules_ms = today_ms - DAYS_SETTLED * DAY_MS;
  const { userId } = seeded.account;
  for (let start_ms = today_ms - DAYS * DAY_MS; start_ms < rules_ms; start_ms += DAY_MS) {
    await runEventsBefore(start_ms + DAY_MS);
    await liveEarlierDay(database, clock, nodes, { start_ms, userId });
  }
  clock.set(new Date(rules_ms - HOUR_MS));
  const { version } = await draftRules(database, { clock, ...REWARDS }, RULES, 'operator');
  await activateRules(
    database,
    { clock, ...REWARDS },
    { version, from: new Date(rules_ms), by: 'operator' },
  );
  for (let start_ms = rules_ms; start_ms <= today_ms; start_ms += DAY_MS) {
    await runEventsBefore(Math.min(start_ms + DAY_MS, now_ms));
    await liveSettledDay(database, clock, nodes, { start_ms, now_ms });
  }
  await runEventsBefore(Number.POSITIVE_INFINITY);
  for (let days = 3; days >= 0; days--) {
    clock.set(new Date(now_ms - days * DAY_MS));
    await signDailyHead(database);
  }
}

/**
 * Adds it to a service with an embedded database, which is stopped during the change.
 * @param prepare prepares what else happens in this time
 */
export async function seedHistory(
  service: ServiceProcess,
  seeded: SeededAccount,
  prepare?: (stage: SeedStage) => Promise<readonly SeededEvent[]>,
): Promise<void> {
  await service.stop();
  const database = await openEmbedded({ directory: join(service.dataDir, 'database') });
  const clock = createManualClock(new Date());
  const masterKey = createMasterKey(Buffer.from(service.env.MASTER_KEY ?? '', 'hex'));
  installLedger(database, { clock, masterKey });
  try {
    const events = (await prepare?.({ database, clock, masterKey })) ?? [];
    await live(database, clock, Date.now(), { seeded, events });
  } finally {
    await database.close();
  }
  await service.start();
}
