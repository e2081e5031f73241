/** Reads steps of holds and refused postings as they were sealed. */
import { type Db, plainArray } from '../../db/index.ts';
import type { RefusalRow, StepKind } from '../batch-state.ts';
import type { ReferenceData } from '../reference-data.ts';
import type { SealedStep, SealedTerms } from '../seal.ts';
import { readAmount, readNullable, readNumber } from './stored-values.ts';

export interface ReadStep extends SealedStep {
  readonly createdAt_us: number;
}

interface StepRow {
  readonly id: number;
  readonly hold_id: string;
  readonly kind: StepKind;
  readonly amount: string;
  readonly remaining: string;
  readonly transfer_id: string | null;
  readonly created_us: string;
  readonly request_hash: string;
  readonly idempotency_key: string;
  readonly wallet_id: string | null;
  readonly currency_id: number;
  readonly business_id: number;
  readonly expires_ms: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

const STEPS = `select s.id, s.hold_id::text, s.kind, s.amount, s.remaining, s.transfer_id::text,
  (extract(epoch from s.created_at) * 1000000)::text as created_us,
    encode(s.request_hash, 'hex') as request_hash, s.idempotency_key, h.wallet_id::text,
      h.currency_id, h.business_id, (extract(epoch from h.expires_at) * 1000)::text as expires_ms,
        h.reference, h.remark
  from hold_step s left join hold h on h.id = s.id and s.kind = 'place'
    where s.id = any($1::bigint[])`;

function termsOf(reference: ReferenceData, row: StepRow): SealedTerms | null {
  if (row.kind !== 'place' || row.wallet_id === null) return null;
  const currency = reference.currenciesById.get(row.currency_id);
  const business = reference.businessesById.get(row.business_id);
  if (!currency || !business) return null;
  return {
    walletId: readNumber(row.wallet_id),
    currency,
    business,
    expiresAt_ms: readNullable(row.expires_ms),
    reference: row.reference,
    remark: row.remark,
  };
}

export async function readSteps(
  db: Db,
  reference: ReferenceData,
  ids: readonly number[],
): Promise<Map<number, ReadStep>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<StepRow>(STEPS, [plainArray(ids)]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        holdId: readNumber(row.hold_id),
        kind: row.kind,
        amount: readAmount(row.amount),
        remaining: readAmount(row.remaining),
        transferId: readNullable(row.transfer_id),
        createdAt_us: readNumber(row.created_us),
        requestHash: row.request_hash,
        idempotencyKey: row.idempotency_key,
        terms: termsOf(reference, row),
      },
    ]),
  );
}

export interface ReadRefusal extends RefusalRow {
  readonly createdAt_us: number;
}

type StoredRefusal = Omit<ReadRefusal, 'createdAt_us'> & { readonly created_us: string };

const REFUSALS = `select id, idempotency_key as "idempotencyKey", code, details::text as details,
    encode(request_hash, 'hex') as "requestHash",
    (extract(epoch from created_at) * 1000000)::text as created_us
  from refused_posting where id = any($1::bigint[])`;

export async function readRefusals(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ReadRefusal>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<StoredRefusal>(REFUSALS, [plainArray(ids)]);
  return new Map(
    rows.map(({ created_us, ...row }) => [
      row.id,
      { ...row, createdAt_us: readNumber(created_us) },
    ]),
  );
}
