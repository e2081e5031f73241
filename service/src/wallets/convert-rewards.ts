import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import {
  type AccountRef,
  findTransferNamed,
  postTransfers,
  readTransferName,
  toFailure,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, failure } from '../lib/failures.ts';
import {
  type ConversionRow,
  findTaken,
  type LockedConversion,
  lockConversion,
  toQuote,
} from './conversions.ts';

type Half = 'out' | 'in';

function nameOf(offerId: string, half: Half): string {
  return `conversion:${offerId}:${half}`;
}

const NAME = /^conversion:(.+):(out|in)$/;

/**
 * When a transfer is one half of a conversion: the other one. One must never be undone without the
 * other.
 */
export async function findOtherHalf(db: Db, transferId: number): Promise<number | undefined> {
  const [, offerId, half] = NAME.exec((await readTransferName(db, transferId)) ?? '') ?? [];
  return offerId === undefined
    ? undefined
    : findTransferNamed(db, nameOf(offerId, half === 'out' ? 'in' : 'out'));
}

interface TransferIds {
  readonly out: number | undefined;
  readonly into: number | undefined;
}

/**
 * Moves a taken offer's amounts: out of the reward wallet, into the asset wallet, both or neither.
 */
async function post(
  tx: Transaction,
  now: Date,
  userId: number,
  offer: LockedConversion,
): Promise<TransferIds> {
  const house: AccountRef = { house: 'conversion' };
  const common = { eventAt: now, reference: offer.id, requestHash: offer.terms_hash };
  const results = await postTransfers(
    tx,
    [
      {
        ...common,
        idempotencyKey: nameOf(offer.id, 'out'),
        debit: { userId, wallet: 'bonus' },
        credit: house,
        currency: offer.currency,
        amount: BigInt(offer.amount),
        businessId: 'conversion_out',
      },
      {
        ...common,
        idempotencyKey: nameOf(offer.id, 'in'),
        debit: house,
        credit: { userId, wallet: 'asset' },
        currency: offer.to_currency,
        amount: BigInt(offer.to_amount),
        businessId: 'conversion_in',
      },
    ],
    { atomic: true },
  );
  const [out, into] = results.map((result) => {
    if (result.status !== 'refused') return result.transferId;
    return result.code === 'batch_refused' ? undefined : toFailure(result);
  });
  if (out instanceof Failure) throw out;
  if (into instanceof Failure) throw into;
  return { out, into };
}

interface ConvertOrder {
  readonly quoteId: string;
  /** Key of the request in the ledger. */
  readonly key: string;
}

function toConversion(offer: ConversionRow, at: Date, { out = 0, into = 0 }: TransferIds) {
  return {
    ...toQuote(offer),
    converted_at: at.toISOString(),
    debit_transfer_id: out,
    credit_transfer_id: into,
  };
}

async function toAnswered(db: Db, offer: ConversionRow, at: Date) {
  const out = await findTransferNamed(db, nameOf(offer.id, 'out'));
  const into = await findTransferNamed(db, nameOf(offer.id, 'in'));
  return toConversion(offer, at, { out, into });
}

/** What the same request was answered before. @throws `idempotency_key_reused` */
export async function findConverted(db: Db, userId: number, { quoteId, key }: ConvertOrder) {
  const taken = await findTaken(db, userId, key);
  if (!taken?.converted_at) return undefined;
  if (taken.id !== quoteId) throw failure('idempotency_key_reused');
  return toAnswered(db, taken, taken.converted_at);
}

/** Takes an offer. The caller has made sure that the person's money is not frozen. */
export async function convertRewards(
  tx: Transaction,
  clock: Clock,
  userId: number,
  { quoteId, key }: ConvertOrder,
) {
  const offer = await lockConversion(tx, userId, { id: quoteId, key });
  if (!offer) throw failure('not_found', { detail: 'There is no such quote.' });
  const now = clock.now();
  // The same request, at the same moment, may have taken it while this one waited for the lock.
  if (offer.converted_at !== null && offer.idempotency_key === key)
    return toAnswered(tx, offer, offer.converted_at);
  if (offer.converted_at !== null) throw failure('quote_used');
  if (offer.expires_at <= now) throw failure('quote_expired');
  const transferIds = await post(tx, now, userId, offer);
  await queryNamed(
    tx,
    'update conversion set converted_at = :now, idempotency_key = :key where id = :offer_id',
    { offer_id: offer.id, now, key },
  );
  const conversion = toConversion(offer, now, transferIds);
  await recordEvent(tx, clock, { userId, type: 'conversion.completed', data: conversion });
  return conversion;
}
