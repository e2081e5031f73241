/** Reads the figures of the overview; each read costs the same in a network of any size. */
import { readLastVerification } from '../../audit/index.ts';
import { countCommunityQueue, countMembers } from '../../community/index.ts';
import type { Database, Db } from '../../db/index.ts';
import { countOnHold, listStatuses } from '../../deposits/index.ts';
import { countConnections } from '../../devices/index.ts';
import { countDeliveries, measureOldestDelivery } from '../../events/index.ts';
import { listHeads } from '../../ledger/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { countMails, measureOldestMails } from '../../mail/index.ts';
import { readWaitingPayouts } from '../../payouts/index.ts';
import { countHeld, countSettlements, measureSettlementLag } from '../../rewards/index.ts';
import { readDayFigures } from './day-figures.ts';
import { findAlerts } from './find-alerts.ts';
import type { NetworkState, Overview, Queue } from './schemas.ts';

export interface OverviewDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** How long after its end an hour of rewards waits for reports. */
  readonly grace_s: number;
  /** Mails go to a relay, not to the mailbox of development. */
  readonly sendsMail: boolean;
  /** Notifications that wait to be pushed, and the age of the oldest in seconds. */
  measurePushes(): Promise<{ readonly waiting: number; readonly oldest_s: number }>;
  /** Seconds for which rows of each table are kept too long. */
  measureRetention(): Promise<Readonly<Record<string, number>>>;
}

async function readNetworks(db: Db, clock: Clock): Promise<NetworkState[]> {
  return (await listStatuses(db, clock)).map(({ network, state, lag }) => ({
    network: network.code,
    state,
    ...(lag !== undefined && { lag_blocks: lag }),
  }));
}

/** In the mailbox of development mails do not wait: they have arrived. */
async function readMailQueues({ database: db, clock, sendsMail }: OverviewDeps): Promise<Queue[]> {
  if (!sendsMail) return [];
  const mails = await countMails(db);
  const ages = await measureOldestMails(db, clock);
  return [
    { queue: 'mail_codes', waiting: mails.code, oldest_s: ages.code },
    { queue: 'mail_without_code', waiting: mails.other, oldest_s: ages.other },
  ];
}

async function readQueues(deps: OverviewDeps): Promise<Queue[]> {
  const { database: db, clock, measurePushes } = deps;
  const { pending } = await countDeliveries(db);
  const kinds = Object.values(await countCommunityQueue(db));
  return [
    ...(await readMailQueues(deps)),
    { queue: 'webhooks', waiting: pending, oldest_s: await measureOldestDelivery(db, clock) },
    { queue: 'pushes', ...(await measurePushes()) },
    { queue: 'community', waiting: kinds.reduce((sum, count) => sum + count, 0) },
  ];
}

type LastVerification = Awaited<ReturnType<typeof readLastVerification>>;

function showVerification(last: LastVerification): Pick<Overview, 'last_verification'> {
  if (!last) return {};
  const { at, since, parts, findings } = last;
  return {
    last_verification: {
      at: at.toISOString(),
      ...(since !== null && { since }),
      parts: [...parts],
      findings,
    },
  };
}

export async function readOverview(deps: OverviewDeps): Promise<Overview> {
  const { database: db, clock, grace_s } = deps;
  const now = clock.now();
  const networks = await readNetworks(db, clock);
  const queues = await readQueues(deps);
  const payouts = await readWaitingPayouts(db);
  const settlementLag_s = await measureSettlementLag({ database: db, clock, grace_s });
  const { failed } = await countSettlements(db);
  const [head] = await listHeads(db, { limit: 1 });
  const verification = await readLastVerification(db);
  const find = (name: Queue['queue']) => queues.find(({ queue }) => queue === name);
  return {
    measured_at: now.toISOString(),
    people: await countMembers(db),
    connected_devices: await countConnections(db, clock),
    days: await readDayFigures(db, now),
    payouts_waiting: payouts.map(({ reason_code, count, oldest_at }) => ({
      reason: reason_code,
      count,
      oldest_at: oldest_at.toISOString(),
    })),
    deposits_on_hold: await countOnHold(db),
    held_referees: await countHeld(db),
    networks,
    queues,
    settlement_lag_s: settlementLag_s,
    ...(head && { last_signed_head: head.day }),
    ...showVerification(verification),
    alerts: findAlerts({
      ...{ now, networks, payouts, settlementLag_s, failedSettlements: failed, verification },
      pushesOldest_s: find('pushes')?.oldest_s ?? 0,
      retentionOverdue_s: await deps.measureRetention(),
      codesOldest_s: find('mail_codes')?.oldest_s ?? 0,
      webhooksOldest_s: find('webhooks')?.oldest_s ?? 0,
      communityQueue: find('community')?.waiting ?? 0,
    }),
  };
}
