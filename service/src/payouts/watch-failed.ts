/**
 * Failed payouts are watched for 30 days: a reorganisation deeper than what was taken as final may
 * let the chain pay what was given back.
 */
import { type Db, queryNamed } from '../db/index.ts';
import { isAgreedPayment } from './agree-payment.ts';
import type { ChainView } from './chain-view.ts';
import type { PayoutsDeps } from './context.ts';
import { findPayment, paysDocument } from './find-payment.ts';
import { type PayoutRow, SELECT_PAYOUTS } from './queries.ts';
import { reopenFailedPayout } from './settle-payout.ts';

const PAYOUTS_MAX = 100;
const EVERY_MS = 60_000;

/** Failed payouts of a network that are to be looked for again. */
export async function listWatched(
  db: Db,
  { clock }: PayoutsDeps,
  network: string,
): Promise<PayoutRow[]> {
  const now = clock.now();
  const { rows } = await queryNamed<PayoutRow>(
    db,
    `${SELECT_PAYOUTS} where watched_until is not null and payout.network = :network
       and followed_at <= :before
     order by followed_at limit ${PAYOUTS_MAX}`,
    { network, before: new Date(now.getTime() - EVERY_MS) },
  );
  return rows;
}

/** Takes a failed payout back when the chain pays it. */
export async function watchFailed(
  deps: PayoutsDeps,
  view: ChainView,
  payout: PayoutRow,
): Promise<void> {
  const { database: db, clock } = deps;
  const { id } = payout;
  const now = clock.now();
  await queryNamed(
    db,
    `update payout set followed_at = :now,
       watched_until = case when watched_until > :now then watched_until end where id = :id`,
    { id, now },
  );
  const payment = await findPayment(db, view.node, payout);
  if (!payment?.isSuccess || !paysDocument(payout, payment)) return;
  if (await isAgreedPayment(view, payout.address, payment))
    await reopenFailedPayout(deps, id, payment);
}
