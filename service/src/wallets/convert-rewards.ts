import type { Db, Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { type AccountRef, findTransferNamed, postTransfers, readTransferName } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { type ConversionRow, findTaken, lockConversion, toQuote } from './conversions.ts';

type Half = 'out' | 'in';

function nameOf(offerId: string, half: Half): string {
  return `conversion:${offerId}:${half}`;
}

const NAME = /^conversion:(.+):(out|in)$/;

/** When a transfer is one half of a conversion: the other one. One must never be undone without the other. */
export async function findOtherHalf(db: Db, transferId: number): Promise<number | undefined> {
  const [, offerId, half] = NAME.exec((await readTransferName(db, transferId)) ?? '') ?? [];
  return offerId === undefined ? undefined : findTransferNamed(db, nameOf(offerId, half === 'out' ? 'in' : 'out'));
}

/** Moves a taken offer's amounts: out of the reward wallet, into the asset wallet, both or neither. */
async function post(tx: Transaction, clock: Clock, userId: number, offer: ConversionRow): Promise<void> {
  const house: AccountRef = { house: 'conversion' };
  const common = { eventAt: clock.now(), reference: offer.id };
  const results = await postTransfers(
    tx,
    [
      {
        ...common,
        idem: nameOf(offer.id, 'out'),
        debit: { userId, wallet: 'bonus' },
        credit: house,
        currency: offer.currency,
        amount: BigInt(offer.amount),
        businessId: 'conversion_out',
      },
      {
        ...common,
        idem: nameOf(offer.id, 'in'),
        debit: house,
        credit: { userId, wallet: 'asset' },
        currency: offer.to_currency,
        amount: BigInt(offer.to_amount),
        businessId: 'conversion_in',
      },
    ],
    { atomic: true },
  );
  for (const result of results) {
    if (result.status === 'refused' && result.code !== 'batch_refused') throw failure(result.code);
  }
}

interface ConvertOrder {
  readonly quoteId: string;
  /** The caller's name for the order. */
  readonly key: string;
}

function toConversion(offer: ConversionRow, at: Date) {
  return { ...toQuote(offer), converted_at: at.toISOString() };
}

/** What was answered to the same order before, for as long as there are books: its stored answer may be gone. @throws `idempotency_key_reused` */
export async function findConverted(db: Db, userId: number, { quoteId, key }: ConvertOrder) {
  const taken = await findTaken(db, userId, key);
  if (!taken?.converted_at) return undefined;
  if (taken.id !== quoteId) throw failure('idempotency_key_reused');
  return toConversion(taken, taken.converted_at);
}

/** Takes an offer. The caller has made sure that the person's money is not frozen. */
export async function convertRewards(tx: Transaction, clock: Clock, userId: number, { quoteId, key }: ConvertOrder) {
  const offer = await lockConversion(tx, userId, quoteId);
  if (!offer) throw failure('not_found', { detail: 'There is no such quote.' });
  const now = clock.now();
  if (offer.converted_at !== null) throw failure('quote_used');
  if (offer.expires_at <= now) throw failure('quote_expired');
  await post(tx, clock, userId, offer);
  await tx.query('update conversion set converted_at = $2, idempotency_key = $3 where id = $1', [offer.id, now, key]);
  const conversion = toConversion(offer, now);
  await recordEvent(tx, clock, { userId, type: 'conversion.completed', data: conversion });
  return conversion;
}
