/** Reads payouts, and moves them from one status to the next. */
import { type Db, listKeys, queryNamed, type Transaction } from '../db/index.ts';
import { explorerUrl } from '../deposits/index.ts';
import { recordEvents } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import type { Payout, PayoutReason, PayoutStatus } from './schemas.ts';
import type { OwnerAssertion } from './sign-order.ts';

/** What becomes of a payout whose transaction does not pay what its document says. */
export type MismatchOutcome = 'confirmed' | 'failed';

export interface PayoutRow {
  readonly id: number;
  readonly user_id: number;
  readonly address_id: number;
  readonly network: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly hold_id: number;
  readonly fee_hold_id: number | null;
  readonly idempotency_key: string;
  readonly request_hash: string;
  readonly status: PayoutStatus;
  readonly reason_code: PayoutReason;
  readonly policy_version: number;
  readonly step_up: 'strong' | 'email';
  readonly review_reasons: string[];
  readonly approvals_needed: number;
  readonly document: string;
  readonly document_hash: string;
  /** Absent: the user had no passkey. */
  readonly owner_assertion: OwnerAssertion | null;
  readonly sanctions: Readonly<Record<string, unknown>> | null;
  readonly sanctions_tries: number;
  readonly check_at: Date;
  readonly signer: string | null;
  readonly sender: string | null;
  readonly nonce: number | null;
  readonly coin: string | null;
  readonly refunds: number;
  readonly watched_until: Date | null;
  readonly mismatch_outcome: MismatchOutcome | null;
  readonly epoch: number;
  readonly is_settled: boolean;
  readonly tx_hash: string | null;
  readonly block_number: number | null;
  readonly block_hash: string | null;
  readonly network_fee: string | null;
  readonly requested_at: Date;
  readonly decided_at: Date | null;
  readonly sent_at: Date | null;
  readonly confirmed_at: Date | null;
  readonly updated_at: Date;
  /** What the operator who rejected it tells the owner. */
  readonly reason: string | null;
  // Of its address, currency and network
  readonly address: string;
  readonly address_label: string;
  readonly scale: number;
  readonly network_name: string;
  readonly explorer_url: string | null;
  readonly required_confirmations: number;
  readonly confirmations: number;
}

/** The address is looked up by row: as a join, the planner may read the addresses of all users. */
export const SELECT_PAYOUTS = `select payout.*, target.address, target.label as address_label,
    currency.scale, network.name as network_name, network.explorer_url,
    network.required_confirmations,
    case when block_number is null then 0
      else greatest(0, coalesce(cursor_height, 0) - block_number + 1) end as confirmations,
    case when payout.status = 'rejected' then (select details ->> 'reason' from payout_decision
      where payout_id = payout.id and decision = 'rejected' limit 1) end as reason
  from payout
  cross join lateral (select address, label from payout_address where id = payout.address_id
    limit 1) target
  join currency on currency.code = payout.currency
  join network on network.code = payout.network
  join chain_state on chain_state.network = payout.network`;

const toTime = (at: Date | null): string | undefined => at?.toISOString();

/** A payout in the form of the API. */
export function toPayout(row: PayoutRow): Payout {
  const { scale, tx_hash } = row;
  const times = {
    decided_at: toTime(row.decided_at),
    sent_at: toTime(row.sent_at),
    confirmed_at: toTime(row.confirmed_at),
  };
  const page =
    tx_hash === null
      ? undefined
      : explorerUrl({ explorerUrl: row.explorer_url ?? undefined }, tx_hash);
  const known = Object.entries(times).filter(([, at]) => at !== undefined);
  return {
    id: row.id,
    status: row.status,
    reason_code: row.reason_code,
    ...(row.reason !== null && { reason: row.reason }),
    currency: row.currency,
    network: row.network,
    network_name: row.network_name,
    amount: exactAmount(row.amount, scale),
    fee: exactAmount(row.fee, scale),
    arrives: exactAmount(BigInt(row.amount) - BigInt(row.fee), scale),
    address: row.address,
    address_label: row.address_label,
    ...(tx_hash !== null && { tx_hash }),
    ...(page !== undefined && { explorer_url: page }),
    confirmations: row.confirmations,
    required_confirmations: row.required_confirmations,
    requested_at: row.requested_at.toISOString(),
    ...(Object.fromEntries(known) as Partial<Record<keyof typeof times, string>>),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * A payout as it was requested, in the form of the API: what a repeated request is answered. What
 * became of it since is left out.
 */
export function toRequestedPayout(row: PayoutRow): Payout {
  return toPayout({
    ...row,
    ...({ status: 'requested', reason_code: 'waits_for_check', reason: null } as const),
    ...{ tx_hash: null, confirmations: 0 },
    ...{ decided_at: null, sent_at: null, confirmed_at: null, updated_at: row.requested_at },
  });
}

/** Payouts by their ids, in the order of the ids. */
export async function findPayouts(db: Db, ids: readonly number[]): Promise<PayoutRow[]> {
  const { rows } = await db.query<PayoutRow>(
    `${SELECT_PAYOUTS} where payout.id = any($1::bigint[]) order by payout.id`,
    [ids],
  );
  return rows;
}

/** @throws `not_found` */
export async function requirePayout(db: Db, id: number, userId?: number): Promise<PayoutRow> {
  const [row] = await findPayouts(db, [id]);
  if (!row || (userId !== undefined && row.user_id !== userId)) throw failure('not_found');
  return row;
}

/** The payout, locked until the end of the transaction. @throws `not_found` */
export async function lockPayout(tx: Transaction, id: number, userId?: number): Promise<PayoutRow> {
  await tx.query('select from payout where id = $1 for update', [id]);
  return requirePayout(tx, id, userId);
}

export interface StatusChange {
  readonly status: PayoutStatus;
  readonly reason: PayoutReason;
}

const TIMES: Partial<Record<PayoutStatus, 'decided_at' | 'sent_at' | 'confirmed_at'>> = {
  approved: 'decided_at',
  rejected: 'decided_at',
  confirmed: 'confirmed_at',
};

/** Moves payouts to a status, and tells their owners. */
export async function changeStatus(
  tx: Transaction,
  clock: Clock,
  ids: readonly number[],
  { status, reason }: StatusChange,
): Promise<PayoutRow[]> {
  if (ids.length === 0) return [];
  const time = TIMES[status];
  await queryNamed(
    tx,
    `update payout set status = :status, reason_code = :reason, updated_at = :now
       ${time ? `, ${time} = :now` : ''} where id = any(:ids::bigint[])`,
    { ids, status, reason, now: clock.now() },
  );
  return tellStatus(tx, clock, ids);
}

/** Tells the owners of payouts where these are now. */
export async function tellStatus(
  tx: Transaction,
  clock: Clock,
  ids: readonly number[],
): Promise<PayoutRow[]> {
  const rows = await findPayouts(tx, ids);
  const events = rows.map((row) => ({
    userId: row.user_id,
    type: `payout.${row.status}` as const,
    data: { ...toPayout(row) },
  }));
  await recordEvents(tx, clock, events);
  return rows;
}

export interface PageOf {
  readonly current: number;
  readonly size: number;
}

/** A page of a person's payouts, newest first. */
export async function listPayouts(
  db: Db,
  userId: number,
  { status, current, size }: PageOf & { readonly status?: PayoutStatus },
): Promise<{ rows: PayoutRow[]; total: number }> {
  const where = `where payout.user_id = :user_id
    and (:status::text is null or payout.status = :status)`;
  const filter = { user_id: userId, status: status ?? null };
  const { rows: counts } = await queryNamed<{ total: number }>(
    db,
    `select count(*) as total from payout ${where}`,
    filter,
  );
  const { rows } = await queryNamed<PayoutRow>(
    db,
    `${SELECT_PAYOUTS} ${where} order by payout.id desc limit :size offset :offset`,
    { ...filter, size, offset: (current - 1) * size },
  );
  return { rows, total: counts[0]?.total ?? 0 };
}

/** A page of the payouts of all users with a status, oldest first. */
export async function listQueue(
  db: Db,
  { status, after = 0, ...page }: PageOf & { status: PayoutStatus; after?: number },
): Promise<{ rows: PayoutRow[]; total: number }> {
  const queue =
    'select id as key from payout where status = :status and id > :after order by status, id';
  const { keys, total } = await listKeys(db, queue, { status, after }, page);
  return { rows: await findPayouts(db, keys), total };
}

/** True for money that is held for a payout: only the payout settles it or gives it back. */
export async function isHoldOfPayout(db: Db, holdId: number): Promise<boolean> {
  const { rowCount } = await db.query('select from payout where hold_id = $1', [holdId]);
  return rowCount > 0;
}
