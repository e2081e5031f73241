/** The columns of an archive (Apache Parquet), and a row in them. */
import type { SchemaElement } from 'hyparquet';
import type { FailureCode } from '../../lib/failures.ts';
import {
  bytesColumn as bytes,
  type Cells,
  type FileRow,
  flagColumn as flag,
  integerColumn as integer,
  isSameCell,
  textColumn as text,
  timeColumn as time,
} from '../../lib/parquet.ts';
import type { EntryRow, StepKind } from '../batch-state.ts';
import type { SealedTerms } from '../seal.ts';
import type { ReadTransfer } from '../verify/read-sealed.ts';
import type { ReadRefusal, ReadStep } from '../verify/read-sealed-steps.ts';
import { readAmount, readNumber } from '../verify/stored-values.ts';
import type { ArchivedRow, SealedRow } from './sealed-batch.ts';

/**
 * In this order. Amounts and balances are minor units as decimal text: they have up to 78 digits,
 * more than a number of Parquet.
 */
export const COLUMNS: readonly SchemaElement[] = [
  ...[integer('shard'), integer('seal'), text('kind'), integer('id'), time('created_at')],
  ...[text('currency'), integer('scale'), text('type'), text('amount')],
  ...[integer('debit_wallet'), integer('debit_position'), integer('debit_seq')],
  ...[text('debit_balance'), integer('credit_wallet'), integer('credit_position')],
  ...[integer('credit_seq'), text('credit_balance'), time('event_at'), flag('may_overdraw')],
  ...[integer('reverses'), integer('hold_id'), text('reward_type'), text('node_id')],
  ...[text('reference'), text('remark'), text('step'), text('remaining')],
  ...[integer('transfer_id'), integer('wallet'), time('expires_at'), text('code')],
  ...[text('details'), text('idempotency_key'), bytes('request_hash'), bytes('leaf')],
];

const big = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

const entryCells = (side: 'debit' | 'credit', entry: EntryRow): Cells => ({
  [`${side}_wallet`]: BigInt(entry.walletId),
  [`${side}_position`]: BigInt(entry.position),
  [`${side}_seq`]: BigInt(entry.seq),
  [`${side}_balance`]: String(entry.balanceAfter),
});

const transferCells = (t: ReadTransfer): Cells => ({
  currency: t.currency.code,
  scale: BigInt(t.currency.scale),
  type: t.business.code,
  amount: String(t.amount),
  ...entryCells('debit', t.debit),
  ...entryCells('credit', t.credit),
  event_at: BigInt(t.eventAt_us),
  may_overdraw: t.mayOverdraw,
  reverses: big(t.reverses),
  hold_id: big(t.holdId),
  reward_type: t.rewardType,
  node_id: t.nodeId,
  reference: t.reference,
  remark: t.remark,
});

const termsCells = (terms: SealedTerms): Cells => ({
  wallet: BigInt(terms.walletId),
  currency: terms.currency.code,
  scale: BigInt(terms.currency.scale),
  type: terms.business.code,
  expires_at: terms.expiresAt_ms === null ? null : BigInt(terms.expiresAt_ms) * 1000n,
  reference: terms.reference,
  remark: terms.remark,
});

const stepCells = (s: ReadStep): Cells => ({
  hold_id: BigInt(s.holdId),
  step: s.kind,
  amount: String(s.amount),
  remaining: String(s.remaining),
  transfer_id: big(s.transferId),
  ...(s.terms && termsCells(s.terms)),
});

function cellsOf({ kind, row }: SealedRow): Cells {
  if (kind === 'transfer') return transferCells(row);
  if (kind === 'hold_step') return stepCells(row);
  return { code: row.code, details: row.details };
}

interface PlacedRow extends ArchivedRow {
  readonly shard: number;
  readonly seal: number;
}

/** A row under a seal, as it is written; columns that are left out are null. */
export function toCells(place: { shard: number; seal: number }, archived: ArchivedRow): Cells {
  const { sealed, leaf } = archived;
  return {
    shard: BigInt(place.shard),
    seal: BigInt(place.seal),
    kind: sealed.kind,
    id: BigInt(sealed.row.id),
    created_at: BigInt(sealed.row.createdAt_us),
    idempotency_key: sealed.row.idempotencyKey,
    request_hash: Buffer.from(sealed.row.requestHash, 'hex'),
    leaf,
    ...cellsOf(sealed),
  };
}

// What no posting writes reads as a value that no seal covers.
const numberOf = (value: unknown): number =>
  readNumber(typeof value === 'bigint' ? `${value}` : null);
const nullable = (value: unknown): number | null =>
  value === null || value === undefined ? null : numberOf(value);
const amountOf = (value: unknown): bigint => readAmount(typeof value === 'string' ? value : null);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nullableText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const bytesOf = (value: unknown): Buffer =>
  value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);

const currencyOf = (row: FileRow) => ({
  id: 0,
  code: textOf(row.currency),
  scale: numberOf(row.scale),
});

const entryOf = (side: 'debit' | 'credit', row: FileRow): EntryRow => ({
  walletId: numberOf(row[`${side}_wallet`]),
  position: numberOf(row[`${side}_position`]),
  seq: numberOf(row[`${side}_seq`]),
  balanceAfter: amountOf(row[`${side}_balance`]),
});

/** What every kind of row has. */
const commonOf = (row: FileRow) => ({
  id: numberOf(row.id),
  createdAt_us: numberOf(row.created_at),
  idempotencyKey: textOf(row.idempotency_key),
  requestHash: bytesOf(row.request_hash).toString('hex'),
});

const transferOf = (row: FileRow): ReadTransfer => ({
  ...commonOf(row),
  currency: currencyOf(row),
  business: { id: 0, code: textOf(row.type) },
  amount: amountOf(row.amount),
  debit: entryOf('debit', row),
  credit: entryOf('credit', row),
  eventAt_us: numberOf(row.event_at),
  mayOverdraw: row.may_overdraw === true,
  reverses: nullable(row.reverses),
  holdId: nullable(row.hold_id),
  rewardType: nullableText(row.reward_type),
  nodeId: nullableText(row.node_id),
  reference: nullableText(row.reference),
  remark: nullableText(row.remark),
});

function termsOf(row: FileRow): SealedTerms | null {
  if (row.wallet === null || row.wallet === undefined) return null;
  const expires_us = nullable(row.expires_at);
  return {
    walletId: numberOf(row.wallet),
    currency: currencyOf(row),
    business: { id: 0, code: textOf(row.type) },
    expiresAt_ms: expires_us === null ? null : Math.floor(expires_us / 1000),
    reference: nullableText(row.reference),
    remark: nullableText(row.remark),
  };
}

const stepOf = (row: FileRow): ReadStep => ({
  ...commonOf(row),
  holdId: numberOf(row.hold_id),
  kind: textOf(row.step) as StepKind,
  amount: amountOf(row.amount),
  remaining: amountOf(row.remaining),
  transferId: nullable(row.transfer_id),
  terms: termsOf(row),
});

const refusalOf = (row: FileRow): ReadRefusal => ({
  ...commonOf(row),
  code: textOf(row.code) as FailureCode,
  details: nullableText(row.details),
});

function sealedOf(row: FileRow): SealedRow | undefined {
  if (row.kind === 'transfer') return { kind: row.kind, row: transferOf(row) };
  if (row.kind === 'hold_step') return { kind: row.kind, row: stepOf(row) };
  if (row.kind === 'refusal') return { kind: row.kind, row: refusalOf(row) };
  return undefined;
}

/** The row of a file; undefined for one that no archive has: each row is written in one way. */
export function fromCells(row: FileRow): PlacedRow | undefined {
  const sealed = sealedOf(row);
  if (!sealed) return undefined;
  const place = { shard: numberOf(row.shard), seal: numberOf(row.seal) };
  const archived = { sealed, leaf: bytesOf(row.leaf) };
  const cells = toCells(place, archived);
  const isWritten = COLUMNS.every(({ name }) => isSameCell(row[name], cells[name] ?? null));
  return isWritten ? { ...place, ...archived } : undefined;
}
