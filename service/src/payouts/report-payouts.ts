/** What the signer reports: transactions that it sent, and payouts that it refused. */
import { queryNamed, type Transaction, transaction } from '../db/index.ts';
import { failure } from '../lib/failures.ts';
import type { PayoutsDeps } from './context.ts';
import { lockDecisions } from './decisions.ts';
import { changeStatus } from './queries.ts';
import { returnToReview } from './return-to-review.ts';
import { takeBackUnfit } from './return-unfit.ts';
import { RETRY_MS } from './take-payouts.ts';

export type SignerOutcome = 'sent' | 'refused' | 'postponed' | 'nonce_used';

export interface SignerReport {
  readonly payout_id: number;
  readonly outcome: SignerOutcome;
  /** Of `sent`. */
  readonly tx_hash?: string;
  /** Of `sent` on an EVM network. */
  readonly sender?: string;
  readonly nonce?: number;
  /** Of `sent` on a UTXO network. */
  readonly coin?: string;
  /** Of `refused` and `postponed`. */
  readonly reason?: string;
  /** Of `postponed`. */
  readonly cause_code?: 'hot_wallet';
}

export interface ReportOrder {
  readonly signer: string;
  readonly reports: readonly SignerReport[];
}

interface Locked {
  readonly id: number;
  readonly kind: 'evm' | 'utxo';
  readonly has_transaction: boolean;
  readonly is_stopped: boolean;
  readonly status: string;
  readonly signer: string | null;
}

/** @throws `not_found`, `payout_of_other_signer` */
async function lock(tx: Transaction, { signer, reports }: ReportOrder): Promise<Locked[]> {
  const ids = [...new Set(reports.map(({ payout_id }) => payout_id))];
  const { rows } = await tx.query<Locked>(
    `select payout.id, payout.status, payout.signer, network.kind,
       exists (select from payout_transaction sent where sent.payout_id = payout.id)
         as has_transaction,
       exists (select from payout_stop where payout_stop.currency = payout.currency) as is_stopped
     from payout join network on network.code = payout.network
     where payout.id = any($1::bigint[]) order by payout.id for update of payout`,
    [ids],
  );
  if (rows.length < ids.length) throw failure('not_found');
  if (rows.some((row) => row.signer !== signer)) throw failure('payout_of_other_signer');
  return rows;
}

/**
 * All transactions of a payout have one nonce: one of them at most is paid.
 * @throws `payout_nonce_changed`
 */
async function noteNonces(tx: Transaction, sent: readonly SignerReport[]): Promise<void> {
  const named = sent.filter(({ sender, nonce }) => sender !== undefined && nonce !== undefined);
  const { rowCount } = await queryNamed(
    tx,
    `update payout set sender = report.sender, nonce = report.nonce
     from unnest(:ids::bigint[], :senders::text[], :nonces::bigint[]) as report (id, sender, nonce)
     where payout.id = report.id and coalesce(payout.sender, report.sender) = report.sender
       and coalesce(payout.nonce, report.nonce) = report.nonce`,
    {
      ids: named.map(({ payout_id }) => payout_id),
      senders: named.map(({ sender = '' }) => sender.toLowerCase()),
      nonces: named.map(({ nonce }) => nonce),
    },
  );
  const ids = new Set(named.map(({ payout_id }) => payout_id));
  if (rowCount < ids.size) throw failure('payout_nonce_changed');
}

/**
 * All transactions of a payout spend one coin: one of them at most is paid.
 * @throws `payout_nonce_changed`
 */
async function noteCoins(tx: Transaction, sent: readonly SignerReport[]): Promise<void> {
  const named = sent.filter(({ coin }) => coin !== undefined);
  if (named.length === 0) return;
  const { rowCount } = await queryNamed(
    tx,
    `update payout set coin = report.coin
     from unnest(:ids::bigint[], :coins::text[]) as report (id, coin)
     where payout.id = report.id and coalesce(payout.coin, report.coin) = report.coin`,
    { ids: named.map(({ payout_id }) => payout_id), coins: named.map(({ coin }) => coin) },
  );
  const ids = new Set(named.map(({ payout_id }) => payout_id));
  if (rowCount < ids.size) throw failure('payout_nonce_changed');
}

async function noteSent(
  tx: Transaction,
  { clock }: PayoutsDeps,
  rows: readonly Locked[],
  reports: readonly SignerReport[],
): Promise<void> {
  const sent = reports.filter(({ outcome }) => outcome === 'sent');
  if (sent.length === 0) return;
  await noteNonces(tx, sent);
  await noteCoins(tx, sent);
  const values = {
    ids: sent.map(({ payout_id }) => payout_id),
    hashes: sent.map(({ tx_hash }) => (tx_hash ?? '').toLowerCase()),
    now: clock.now(),
  };
  await queryNamed(
    tx,
    `insert into payout_transaction (payout_id, tx_hash, sent_at)
     select id, hash, :now from unnest(:ids::bigint[], :hashes::text[]) as sent (id, hash)
     on conflict do nothing`,
    values,
  );
  const signed = new Set(rows.flatMap(({ id, status }) => (status === 'signed' ? [id] : [])));
  await queryNamed(
    tx,
    `update payout set tx_hash = hash, sent_at = coalesce(sent_at, :now)
     from unnest(:ids::bigint[], :hashes::text[]) as sent (id, hash)
     where payout.id = sent.id and payout.block_number is null`,
    values,
  );
  const ids = [...new Set(values.ids)].filter((id) => signed.has(id));
  await changeStatus(tx, clock, ids, { status: 'sent', reason: 'in_pool' });
}

/** Why the signer pays later. */
const POSTPONED = [
  [undefined, 'waits_for_signer_limit'],
  ['hot_wallet', 'waits_for_hot_wallet'],
] as const;

/** Back to the operators, or to the queue: the signer has signed nothing. */
async function noteRefused(
  tx: Transaction,
  { clock }: PayoutsDeps,
  reports: readonly SignerReport[],
  signer: string,
): Promise<void> {
  const refused = reports.filter(({ outcome }) => outcome === 'refused');
  const returned = refused.map(({ payout_id: id, reason = '' }) => ({ id, details: { reason } }));
  const how = { reason: 'refused_by_signer', decidedBy: `signer:${signer}` } as const;
  await returnToReview(tx, clock, returned, how);
  const postponed = reports.filter(({ outcome }) => outcome === 'postponed');
  const retryAt = new Date(clock.now().getTime() + RETRY_MS);
  const idsOf = (list: readonly SignerReport[]): number[] => list.map((r) => r.payout_id);
  await queryNamed(
    tx,
    'update payout set signer = null, check_at = :retry_at where id = any(:ids::bigint[])',
    { ids: idsOf(postponed), retry_at: retryAt },
  );
  for (const [cause, reason] of POSTPONED) {
    const ids = idsOf(postponed.filter(({ cause_code }) => cause_code === cause));
    await changeStatus(tx, clock, ids, { status: 'approved', reason });
  }
}

const isReturned = ({ outcome }: SignerReport): boolean =>
  outcome === 'refused' || outcome === 'postponed';

/** Nothing that the signer says was sent may go back: it may be paid. @throws `payout_not_open` */
function checkReturned(rows: readonly Locked[], reports: readonly SignerReport[]): void {
  const isOpen = new Map(
    rows.map(({ id, status, has_transaction: isSent }) => [id, status === 'signed' && !isSent]),
  );
  const counts = Map.groupBy(reports, ({ payout_id }) => payout_id);
  for (const { payout_id } of reports.filter(isReturned)) {
    if (!isOpen.get(payout_id) || counts.get(payout_id)?.length !== 1)
      throw failure('payout_not_open');
  }
}

/**
 * What the chain does not have yet stays unsent while its currency is stopped. What replaces a
 * transaction pays nothing more.
 * @throws `payout_stopped`
 */
function checkStops(rows: readonly Locked[], reports: readonly SignerReport[]): void {
  const isHeld = ({ status, is_stopped, has_transaction: isSent }: Locked): boolean =>
    status === 'signed' && is_stopped && !isSent;
  const held = new Set(rows.filter(isHeld).map(({ id }) => id));
  if (reports.some(({ payout_id, outcome }) => outcome === 'sent' && held.has(payout_id)))
    throw failure('payout_stopped');
}

/**
 * What all transactions of a payout have in common is reported with each of them.
 * @throws `payout_nonce_changed`
 */
function checkSent(rows: readonly Locked[], reports: readonly SignerReport[]): void {
  const kindOf = new Map(rows.map(({ id, kind }) => [id, kind]));
  const isNamed = ({ payout_id, sender, nonce, coin }: SignerReport): boolean =>
    kindOf.get(payout_id) === 'utxo'
      ? coin !== undefined
      : sender !== undefined && nonce !== undefined;
  if (!reports.every((report) => report.outcome !== 'sent' || isNamed(report)))
    throw failure('payout_nonce_changed', {
      detail: 'A report of `sent` names its `sender` and `nonce`, or its `coin`.',
    });
}

/**
 * Writes reports of a signer about payouts that it has taken. Repeating one is harmless.
 * @throws `not_found`, `payout_of_other_signer`, `payout_nonce_changed`, `payout_not_open`,
 *   `payout_stopped`
 */
export async function reportPayouts(deps: PayoutsDeps, order: ReportOrder): Promise<void> {
  const { reports, signer } = order;
  const idsOf = (outcome: SignerOutcome): number[] =>
    reports.flatMap((report) => (report.outcome === outcome ? [report.payout_id] : []));
  const refusal = await transaction(deps.database, async (tx) => {
    // What is taken back stays so, and nothing of the call is noted: the signer reports the rest
    // again.
    if (await takeBackUnfit(tx, deps, idsOf('sent'), signer))
      return failure('payout_of_other_signer');
    const returned = reports.filter(isReturned);
    if (returned.length > 0) await lockDecisions(tx);
    const rows = await lock(tx, order);
    checkReturned(rows, reports);
    checkSent(rows, reports);
    checkStops(rows, reports);
    await noteSent(tx, deps, rows, reports);
    if (returned.length > 0) await noteRefused(tx, deps, returned, signer);
    // The service proves it by the chain before it gives the money back.
    await queryNamed(
      tx,
      `update payout set reason_code = 'nonce_used_in_block', updated_at = :now
       where id = any(:ids::bigint[]) and status = 'sent' and block_number is null`,
      { ids: idsOf('nonce_used'), now: deps.clock.now() },
    );
    return undefined;
  });
  if (refusal) throw refusal;
}
