/** What a user has earned that is not paid yet: it is paid with its UTC day. */
import { type Db, defineStatement, execute } from '../db/index.ts';

/**
 * Hours that wait, of which there are those of a day; each is a look-up by user and hour. While a
 * payment posts the bills of ranges of users, a user whose range is done is not in a step any more.
 * Corrections are made just before a payment, and are not counted until then.
 */
const WAITING_LINES = `from reward_batch b
    cross join lateral (
      select reward_type, node_id, amount from reward_line
      where user_id = :user and hour = b.hour and batch_id = b.id and status = 'paid' offset 0
    ) l
  where b.state = 'computed' and b.kind = 'hour' and b.closed_at is null
    and (b.payment_id is null or exists (
      select from reward_payment_step s
      where s.payment_id = b.payment_id and s.first_user <= :user
        and (s.next_user is null or s.next_user > :user)
    ))`;

const ACCRUED = defineStatement(
  'rewards_accrued',
  `select l.reward_type as "rewardType", sum(l.amount)::text as amount
  ${WAITING_LINES}
  group by l.reward_type order by l.reward_type`,
);

const ACCRUED_DAYS = defineStatement(
  'rewards_accrued_days',
  `select to_char(b.hour at time zone 'UTC', 'YYYY-MM-DD') as day,
    l.reward_type as "rewardType", sum(l.amount)::text as amount
  ${WAITING_LINES} and (:node::text is null or l.node_id = :node)
  group by 1, 2 order by 1, 2`,
);

export interface Accrued {
  readonly rewardType: string;
  /** Minor units of the reward currency, signed. */
  readonly amount: string;
}

/** By reward type; none: nothing waits. */
export async function readAccrued(db: Db, userId: number): Promise<Accrued[]> {
  return (await execute<Accrued>(db, ACCRUED, { user: userId })).rows;
}

export interface AccruedOfDay extends Accrued {
  /** `yyyy-MM-dd`, in UTC. */
  readonly day: string;
}

/** By UTC day and reward type. @param nodeId only of this device */
export async function readAccruedDays(
  db: Db,
  userId: number,
  nodeId?: string,
): Promise<AccruedOfDay[]> {
  const values = { user: userId, node: nodeId ?? null };
  return (await execute<AccruedOfDay>(db, ACCRUED_DAYS, values)).rows;
}
