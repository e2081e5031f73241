/** Reads transfers as they were sealed. */
import { type Db, plainArray, queryNamed } from '../../db/index.ts';
import type { EntryRow } from '../batch-state.ts';
import { entryAt, packedLeg, packedTransferById } from '../packed-entries.ts';
import type { ReferenceData } from '../reference-data.ts';
import type { SealedTransfer } from '../seal.ts';
import type { WrongEntry } from './findings.ts';
import { readAmount, readNullable, readNumber } from './stored-values.ts';

interface TransferRow {
  readonly id: number;
  readonly debit_wallet: string;
  readonly debit_position: string;
  readonly credit_wallet: string;
  readonly credit_position: string;
  readonly event_us: string;
  readonly created_us: string;
  readonly reverses: string | null;
  readonly hold_id: string | null;
  readonly currency_id: number;
  readonly business_id: number;
  readonly may_overdraw: boolean;
  readonly amount: string;
  readonly request_hash: string;
  readonly idempotency_key: string;
  readonly reward_type: string | null;
  readonly node_id: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
  readonly debit_seq: string | null;
  readonly debit_after: string | null;
  readonly debit_agrees: boolean | null;
  readonly credit_seq: string | null;
  readonly credit_after: string | null;
  readonly credit_agrees: boolean | null;
}

const AGREES = (leg: string, direction: number): string =>
  `${leg}.transfer_id = t.id and ${leg}.direction = ${direction} and ${leg}.amount = t.amount
    and ${leg}.created_at = t.created_at and ${leg}.currency_id = t.currency_id
    and ${leg}.business_id = t.business_id`;

const COLUMNS = `t.id, t.debit_wallet::text, t.debit_position::text, t.credit_wallet::text,
  t.credit_position::text,
    (extract(epoch from t.event_at) * 1000000)::text as event_us,
      (extract(epoch from t.created_at) * 1000000)::text as created_us,
    t.reverses::text, t.hold_id::text, t.currency_id, t.business_id, t.may_overdraw, t.amount,
      encode(t.request_hash, 'hex') as request_hash, t.idempotency_key, t.reward_type, t.node_id,
        t.reference, t.remark`;
const TRANSFERS = `select ${COLUMNS},
    d.seq::text as debit_seq, d.balance_after as debit_after, (${AGREES('d', 2)}) as debit_agrees,
    c.seq::text as credit_seq, c.balance_after as credit_after, (${AGREES('c', 1)}) as credit_agrees
  from transfer t
  left join lateral ${entryAt('t.debit_wallet', 't.debit_position')} d on true
  left join lateral ${entryAt('t.credit_wallet', 't.credit_position')} c on true
  where t.id = any($1::bigint[])`;

/** Of a packed transfer, its pack has both entries; those of people are compared by the books. */
const PACKED = `select ${COLUMNS}, t.debit_seq::text, t.debit_after, true as debit_agrees,
    t.credit_seq::text, t.credit_after, true as credit_agrees
  from unnest($1::bigint[]) as asked (id)
    cross join lateral ${packedTransferById('asked.id')} t`;

/** A transfer as it stands now in the books and in time (microseconds). */
export interface ReadTransfer extends SealedTransfer {
  readonly eventAt_us: number;
  readonly createdAt_us: number;
}

/** A transfer as it stands now, and what is plainly wrong with its entries. */
export interface FoundTransfer {
  readonly sealed: ReadTransfer;
  /** Entries that are gone or say something else than their transfer. */
  readonly wrongEntries: readonly WrongEntry[];
}

function wrongEntriesOf(row: TransferRow): WrongEntry[] {
  const legs = [
    {
      row: `entry ${row.debit_wallet}/${row.debit_position}`,
      seq: row.debit_seq,
      agrees: row.debit_agrees,
    },
    {
      row: `entry ${row.credit_wallet}/${row.credit_position}`,
      seq: row.credit_seq,
      agrees: row.credit_agrees,
    },
  ];
  return legs
    .filter((leg) => leg.seq === null || leg.agrees !== true)
    .map((leg) => ({
      row: leg.row,
      isMissing: leg.seq === null,
      detail:
        leg.seq === null
          ? `of transfer ${row.id} is missing`
          : `says something else than transfer ${row.id}`,
    }));
}

interface LegRow {
  readonly wallet_id: string | null;
  readonly position: string | null;
  readonly seq: string | null;
  readonly balance_after: string | null;
}

function toEntry(row: LegRow): EntryRow {
  return {
    walletId: readNumber(row.wallet_id),
    position: readNumber(row.position),
    seq: readNumber(row.seq),
    balanceAfter: readAmount(row.balance_after),
  };
}

function toFound(reference: ReferenceData, row: TransferRow): FoundTransfer {
  const currency = reference.currenciesById.get(row.currency_id) ?? {
    id: row.currency_id,
    code: '?',
    scale: 0,
  };
  const business = reference.businessesById.get(row.business_id) ?? {
    id: row.business_id,
    code: '?',
  };
  return {
    sealed: {
      id: row.id,
      currency,
      business,
      debit: toEntry({
        wallet_id: row.debit_wallet,
        position: row.debit_position,
        seq: row.debit_seq,
        balance_after: row.debit_after,
      }),
      credit: toEntry({
        wallet_id: row.credit_wallet,
        position: row.credit_position,
        seq: row.credit_seq,
        balance_after: row.credit_after,
      }),
      amount: readAmount(row.amount),
      eventAt_us: readNumber(row.event_us),
      createdAt_us: readNumber(row.created_us),
      mayOverdraw: row.may_overdraw,
      requestHash: row.request_hash,
      idempotencyKey: row.idempotency_key,
      rewardType: row.reward_type,
      nodeId: row.node_id,
      reference: row.reference,
      remark: row.remark,
      reverses: readNullable(row.reverses),
      holdId: readNullable(row.hold_id),
    },
    wrongEntries: wrongEntriesOf(row),
  };
}

export async function readTransfers(
  db: Db,
  reference: ReferenceData,
  ids: readonly number[],
): Promise<Map<number, FoundTransfer>> {
  const { rows } = await db.query<TransferRow>(TRANSFERS, [plainArray(ids)]);
  const found = new Map(rows.map((row) => [row.id, toFound(reference, row)]));
  const others = ids.filter((id) => !found.has(id));
  if (others.length === 0) return found;
  const packed = await db.query<TransferRow>(PACKED, [plainArray(others)]);
  for (const row of packed.rows) found.set(row.id, toFound(reference, row));
  return found;
}

const LEG = `(
    select wallet_id, position, seq, balance_after from entry
    where transfer_id = :transfer_id::bigint and direction = :direction limit 1
  ) union all ${packedLeg(':transfer_id', ':direction')} limit 1`;

/**
 * Where the entry of a transfer stands, whatever the transfer says of it, which may have been
 * changed.
 */
export async function findLeg(
  db: Db,
  transferId: number,
  direction: number,
): Promise<EntryRow | undefined> {
  const { rows } = await queryNamed<LegRow>(
    db,
    `select wallet_id::text, position::text, seq::text, balance_after from (${LEG}) l`,
    { transfer_id: transferId, direction },
  );
  return rows[0] && toEntry(rows[0]);
}
