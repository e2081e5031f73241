/** What the benchmarks of joins and purchases do to the tree, and what other designs would do. */
import { joinCommunity, rollUp } from '../../service/src/community/index.ts';
import { type Database, type Transaction, transaction } from '../../service/src/db/index.ts';
import { type Posting, postTransfers } from '../../service/src/ledger/index.ts';
import { type CallBatcher, createCallBatcher } from '../../service/src/lib/call-batcher.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { Failure } from '../../service/src/lib/failures.ts';
import { type Order, sellPackages } from '../../service/src/operator/index.ts';

let people = 0;

/** The person alone: what every design must do. */
export async function insertPerson(
  tx: Transaction,
  referrerId: number,
): Promise<{ userId: number; label: string; createdAt: Date }> {
  const label = `Bench ${process.pid} ${people++}`;
  const createdAt = systemClock.now();
  const { rows } = await tx.prepared<{ id: number }>(
    'bench-insert-person',
    `insert into app_user (email, email_key, nickname, referral_code, referrer_id, created_at)
     values ($1 || '@bench.test', $1 || '@bench.test', $1, $1, $2, $3) returning id`,
    [label, referrerId, createdAt],
  );
  return { userId: rows[0]?.id ?? 0, label, createdAt };
}

export async function bareJoin(database: Database, referrerId: number): Promise<void> {
  await transaction(database, (tx) => insertPerson(tx, referrerId));
}

export async function join(database: Database, referrerId: number): Promise<void> {
  await transaction(database, async (tx) => {
    const { userId, label, createdAt } = await insertPerson(tx, referrerId);
    await joinCommunity(tx, {
      userId,
      referrerId,
      nickname: label,
      email: label,
      referralCode: label,
      status: 'active',
      groups: [],
      createdAt,
    });
  });
}

export async function closureJoin(database: Database, referrerId: number): Promise<void> {
  await transaction(database, async (tx) => {
    const { userId, createdAt } = await insertPerson(tx, referrerId);
    await tx.query(
      `insert into closure select ancestor_id, $2::timestamptz, $3::bigint from closure
        where user_id = $1 union all select $1::bigint, $2::timestamptz, $3::bigint`,
      [referrerId, createdAt, userId],
    );
  });
}

const BUYERS = 1000;

/** People below one, with their places in the tree. */
export async function insertBuyers(database: Database, referrerId: number): Promise<number[]> {
  const buyers = await transaction(database, async (tx) => {
    const ids: number[] = [];
    for (let i = 0; i < BUYERS; i++) ids.push((await insertPerson(tx, referrerId)).userId);
    await tx.query(
      "insert into community_event (kind, user_id) select 'join', unnest($1::bigint[])",
      [ids],
    );
    return ids;
  });
  await rollUp(database);
  return buyers;
}

let purchases = 0;

/** The sizes of `createGroupSender` on a server. */
const GROUPS = { concurrencyMax: 2, sizeMax: 100 } as const;

function postingOf(idempotencyKey: string): Posting {
  const at = systemClock.now();
  const amount = 10n ** 18n;
  return {
    idempotencyKey,
    debit: { house: 'external_sales' },
    credit: { house: 'package_sales' },
    currency: 'EDGE',
    amount,
    businessId: 'package_purchase',
    eventAt: at,
  };
}

export async function barePurchase(database: Database): Promise<void> {
  await postTransfers(database, [postingOf(`bench/${process.pid}/${purchases++}`)]);
}

const sellers = new WeakMap<Database, CallBatcher<Order, unknown>>();

/** As the route does: purchases that come at once share a transaction. */
export async function purchase(database: Database, userId: number): Promise<void> {
  const idempotencyKey = `purchase:bench:${process.pid}:${purchases++}`;
  const order = {
    idempotencyKey,
    requestHash: '0'.repeat(32),
    userId,
    currency: 'EDGE',
    amount: 10n ** 18n,
    reference: 'bench',
    isExternal: true,
  };
  const seller =
    sellers.get(database) ??
    createCallBatcher<Order, unknown>({
      ...GROUPS,
      run: (orders) => transaction(database, (tx) => sellPackages(tx, systemClock, orders)),
    });
  sellers.set(database, seller);
  if ((await seller.submit(order)) instanceof Failure) throw new Error('a purchase was refused');
}

/**
 * The posting and every ancestor in one transaction, ancestors found by recursion and locked in the
 * order of ids.
 */
export async function synchronousPurchase(database: Database, userId: number): Promise<void> {
  await transaction(database, async (tx) => {
    await postTransfers(tx, [postingOf(`bench/${process.pid}/${purchases++}`)]);
    await tx.query(
      `with recursive up as (select referrer_id as id from app_user where id = $1 union all
        select u.referrer_id from up join app_user u on u.id = up.id),
         locked as (select user_id from community_stats where user_id in (select id from up)
           order by user_id for update)
       update community_stats s set downline_amount = downline_amount from locked
         where s.user_id = locked.user_id`,
      [userId],
    );
  });
}

const PAUSE_MS = 150;

/** Rolls up beside the load, as the job does, until stopped. */
export function startRollUp(database: Database): { drain(): Promise<void> } {
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      await rollUp(database);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    async drain() {
      isStopped = true;
      await running;
      await rollUp(database);
    },
  };
}
