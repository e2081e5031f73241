/** Settlements, newest first. */
import { type Db, listKeys } from '../db/index.ts';
import { CHUNK } from './reward-lines.ts';
import { SETTLEMENTS_BY_ID } from './settlements.ts';

export interface Settlement {
  readonly id: number;
  readonly kind: string;
  readonly hour: Date;
  readonly ruleVersion: number;
  readonly state: string;
  readonly lines: number;
  readonly posted: number;
  readonly refused: number;
  /** Minor units. */
  readonly amount: string;
  readonly root: string | null;
  readonly settledAt: Date | null;
  /** Error of the last attempt. */
  readonly failure: string | null;
  /** Why an operator closed it without its remaining lines. */
  readonly closeReason: string | null;
}

interface SettlementPage {
  readonly current: number;
  readonly size: number;
  /** Only those that wait or failed. */
  readonly isUnfinished: boolean;
}

export async function listSettlements(
  db: Db,
  { current, size, isUnfinished }: SettlementPage,
): Promise<{ settlements: Settlement[]; total: number }> {
  const { keys, total } = await listKeys(
    db,
    `select id as key from reward_batch ${isUnfinished ? `where state <> 'settled'` : ''}
      order by id desc`,
    {},
    { current, size },
  );
  const { rows } = await db.query<Settlement>(
    `select b.id, b.kind, b.hour, b.rule_version as "ruleVersion", b.state, b.lines,
        least(
          b.lines, (select count(*) from reward_chunk c where c.batch_id = b.id) * ${CHUNK}
        ) as posted,
        b.amount, encode(b.root, 'hex') as root, b.settled_at as "settledAt", b.failure,
        b.close_reason as "closeReason",
        (select count(*) from reward_refusal r where r.batch_id = b.id) as refused
      from ${SETTLEMENTS_BY_ID} order by b.id desc`,
    [keys],
  );
  return { settlements: rows, total };
}
