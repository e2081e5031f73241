/** Reads rows as they were sealed. */
import type { Db } from '../../db/index.ts';
import { plainArray } from '../arrays.ts';
import type { EntryRow, StepKind } from '../books.ts';
import type { Reference } from '../reference.ts';
import type { SealedStep, SealedTerms, SealedTransfer } from '../seal.ts';

interface TransferRow {
  readonly id: number;
  readonly debit_wallet: number;
  readonly debit_position: number;
  readonly credit_wallet: number;
  readonly credit_position: number;
  readonly event_us: string;
  readonly created_us: string;
  readonly reverses: number | null;
  readonly hold_id: number | null;
  readonly currency_id: number;
  readonly business_id: number;
  readonly may_overdraw: boolean;
  readonly amount: string;
  readonly request_hash: string;
  readonly idem: string;
  readonly reward_type: string | null;
  readonly node_id: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
  readonly debit_seq: number | null;
  readonly debit_after: string | null;
  readonly debit_agrees: boolean | null;
  readonly credit_seq: number | null;
  readonly credit_after: string | null;
  readonly credit_agrees: boolean | null;
}

const AGREES = (leg: string, direction: number): string =>
  `${leg}.transfer_id = t.id and ${leg}.direction = ${direction} and ${leg}.amount = t.amount and ${leg}.created_at = t.created_at
   and ${leg}.currency_id = t.currency_id and ${leg}.business_id = t.business_id`;

const TRANSFERS = `select t.id, t.debit_wallet, t.debit_position, t.credit_wallet, t.credit_position,
    (extract(epoch from t.event_at) * 1000000)::bigint::text as event_us, (extract(epoch from t.created_at) * 1000000)::bigint::text as created_us,
    t.reverses, t.hold_id, t.currency_id, t.business_id, t.may_overdraw, t.amount, encode(t.request_hash, 'hex') as request_hash, t.idem, t.reward_type, t.node_id, t.reference, t.remark,
    d.seq as debit_seq, d.balance_after as debit_after, (${AGREES('d', 2)}) as debit_agrees,
    c.seq as credit_seq, c.balance_after as credit_after, (${AGREES('c', 1)}) as credit_agrees
  from transfer t
  left join entry d on d.wallet_id = t.debit_wallet and d.position = t.debit_position
  left join entry c on c.wallet_id = t.credit_wallet and c.position = t.credit_position
  where t.id = any($1::bigint[])`;

/** A transfer as it stands now in the books and in time (microseconds). */
export interface ReadTransfer extends SealedTransfer {
  readonly eventAt_us: number;
  readonly createdAt_us: number;
}

export interface ReadStep extends SealedStep {
  readonly createdAt_us: number;
}

/** A transfer as it stands now, and what is plainly wrong with its entries. */
export interface FoundTransfer {
  readonly sealed: ReadTransfer;
  /** Entries that are gone or say something else than their transfer. */
  readonly wrongEntries: readonly { readonly row: string; readonly detail: string }[];
}

function wrongEntriesOf(row: TransferRow): { row: string; detail: string }[] {
  const legs = [
    { row: `entry ${row.debit_wallet}/${row.debit_position}`, seq: row.debit_seq, agrees: row.debit_agrees },
    { row: `entry ${row.credit_wallet}/${row.credit_position}`, seq: row.credit_seq, agrees: row.credit_agrees },
  ];
  return legs
    .filter((leg) => leg.seq === null || leg.agrees !== true)
    .map((leg) => ({ row: leg.row, detail: leg.seq === null ? `of transfer ${row.id} is missing` : `says something else than transfer ${row.id}` }));
}

function toFound(reference: Reference, row: TransferRow): FoundTransfer {
  const currency = reference.currenciesById.get(row.currency_id) ?? { id: row.currency_id, code: '?', scale: 0 };
  const business = reference.businessesById.get(row.business_id) ?? { code: '?' };
  return {
    sealed: {
      id: row.id,
      currency,
      business,
      debit: { walletId: row.debit_wallet, position: row.debit_position, seq: row.debit_seq ?? 0, balanceAfter: BigInt(row.debit_after ?? 0) },
      credit: { walletId: row.credit_wallet, position: row.credit_position, seq: row.credit_seq ?? 0, balanceAfter: BigInt(row.credit_after ?? 0) },
      amount: BigInt(row.amount),
      eventAt_us: Number(row.event_us),
      createdAt_us: Number(row.created_us),
      mayOverdraw: row.may_overdraw,
      requestHash: row.request_hash,
      idem: row.idem,
      rewardType: row.reward_type,
      nodeId: row.node_id,
      reference: row.reference,
      remark: row.remark,
      reverses: row.reverses,
      holdId: row.hold_id,
    },
    wrongEntries: wrongEntriesOf(row),
  };
}

export async function readTransfers(db: Db, reference: Reference, ids: readonly number[]): Promise<Map<number, FoundTransfer>> {
  const { rows } = await db.query<TransferRow>(TRANSFERS, [plainArray(ids)]);
  return new Map(rows.map((row) => [row.id, toFound(reference, row)]));
}

interface StepRow {
  readonly id: number;
  readonly hold_id: number;
  readonly kind: StepKind;
  readonly amount: string;
  readonly transfer_id: number | null;
  readonly created_us: string;
  readonly request_hash: string;
  readonly idem: string;
  readonly wallet_id: number | null;
  readonly currency_id: number;
  readonly business_id: number;
  readonly expires_ms: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

const STEPS = `select s.id, s.hold_id, s.kind, s.amount, s.transfer_id, (extract(epoch from s.created_at) * 1000000)::bigint::text as created_us,
    encode(s.request_hash, 'hex') as request_hash, s.idem, h.wallet_id, h.currency_id, h.business_id, (extract(epoch from h.expires_at) * 1000)::text as expires_ms, h.reference, h.remark
  from hold_step s left join hold h on h.id = s.id and s.kind = 'place' where s.id = any($1::bigint[])`;

function termsOf(reference: Reference, row: StepRow): SealedTerms | null {
  if (row.kind !== 'place' || row.wallet_id === null) return null;
  const currency = reference.currenciesById.get(row.currency_id);
  const business = reference.businessesById.get(row.business_id);
  if (!currency || !business) return null;
  const expiresAt_ms = row.expires_ms === null ? null : Number(row.expires_ms);
  return { walletId: row.wallet_id, currency, business, expiresAt_ms, reference: row.reference, remark: row.remark };
}

export async function readSteps(db: Db, reference: Reference, ids: readonly number[]): Promise<Map<number, ReadStep>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<StepRow>(STEPS, [plainArray(ids)]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        holdId: row.hold_id,
        kind: row.kind,
        amount: BigInt(row.amount),
        transferId: row.transfer_id,
        createdAt_us: Number(row.created_us),
        requestHash: row.request_hash,
        idem: row.idem,
        terms: termsOf(reference, row),
      },
    ]),
  );
}

/** Where the entry of a transfer stands, whatever the transfer says of it: somebody may have changed that. */
export async function findLeg(db: Db, transferId: number, direction: number): Promise<EntryRow | undefined> {
  const { rows } = await db.query<{ wallet_id: number; position: number; seq: number; balance_after: string }>(
    'select wallet_id, position, seq, balance_after from entry where transfer_id = $1 and direction = $2 limit 1',
    [transferId, direction],
  );
  return rows[0] && { walletId: rows[0].wallet_id, position: rows[0].position, seq: rows[0].seq, balanceAfter: BigInt(rows[0].balance_after) };
}
