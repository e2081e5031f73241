/** The books of a payout whose transaction is deep enough, and of a reorganisation after that. */
import { queryNamed, type Transaction, transaction } from '../db/index.ts';
import {
  findCurrency,
  findTransferNamed,
  postTransfers,
  reverseTransfers,
  settleHold,
} from '../ledger/index.ts';
import type { PayoutsDeps } from './context.ts';
import { lockDecisions, recordDecision } from './decisions.ts';
import type { FoundPayment } from './find-payment.ts';
import { PayoutNotPosted } from './payout-not-posted.ts';
import { changeStatus, lockPayout, type MismatchOutcome, type PayoutRow } from './queries.ts';
import { giveBack, takeAgain } from './release-payout.ts';

/** One step of a payout's books. @throws PayoutNotPosted */
async function post(
  { database }: PayoutsDeps,
  id: number,
  step: (tx: Transaction, payout: PayoutRow) => Promise<void>,
  before?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await transaction(database, async (tx) => {
    await before?.(tx);
    await step(tx, await lockPayout(tx, id));
  });
}

/** Decimals of the chain's own coin, in which fees are paid. */
export const COIN_DECIMALS = { evm: 18, utxo: 8 } as const;

const feeKey = (id: number, epoch: number): string => `payout/${id}/network-fee/${epoch}`;

async function settlePart(
  tx: Transaction,
  deps: PayoutsDeps,
  part: {
    readonly payoutId: number;
    readonly key: string;
    readonly holdId: number;
    readonly house: string;
  },
): Promise<void> {
  const result = await settleHold(tx, {
    idempotencyKey: part.key,
    holdId: part.holdId,
    credit: { house: part.house },
    eventAt: deps.clock.now(),
  });
  if (result.status === 'refused')
    throw new PayoutNotPosted(part.payoutId, `its hold was not settled: ${result.code}`);
}

/** Currency of the chain's coin, if the ledger keeps it with the decimals of the chain. */
export async function findCoin(tx: Transaction, network: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ coin: string | null; kind: 'evm' | 'utxo' }>(
    'select coin, kind from network where code = $1',
    [network],
  );
  const { coin = null, kind = 'evm' } = rows[0] ?? {};
  const currency = coin === null ? undefined : await findCurrency(tx, coin);
  return currency?.scale === COIN_DECIMALS[kind] ? currency.code : undefined;
}

/** The operator pays the network fee. */
async function postNetworkFee(
  tx: Transaction,
  { clock }: PayoutsDeps,
  { id, network }: PayoutRow,
  { fee, epoch }: { readonly fee: bigint; readonly epoch: number },
): Promise<void> {
  const coin = await findCoin(tx, network);
  if (coin === undefined || fee === 0n) return;
  const [result] = await postTransfers(tx, [
    {
      idempotencyKey: feeKey(id, epoch),
      debit: { house: 'fees' },
      credit: { house: 'withdrawal_clearing' },
      currency: coin,
      amount: fee,
      businessId: 'withdrawal_fee',
      eventAt: clock.now(),
      mayOverdraw: true,
      reference: `payout:${id}`,
      remark: network,
    },
  ]);
  if (result?.status === 'refused')
    throw new PayoutNotPosted(id, `the network fee was refused: ${result.code}`);
}

/** Settles what was held: what arrived to the clearing account, the fee to the fees. */
async function settleHolds(tx: Transaction, deps: PayoutsDeps, payout: PayoutRow): Promise<void> {
  const { id, hold_id, fee_hold_id } = payout;
  if (payout.is_settled) return;
  const key = `payout/${id}/settle`;
  const net = { payoutId: id, key, holdId: hold_id, house: 'withdrawal_clearing' };
  await settlePart(tx, deps, net);
  if (fee_hold_id === null) return;
  const ofFee = { payoutId: id, key: `${key}/fee`, holdId: fee_hold_id, house: 'fees' };
  await settlePart(tx, deps, ofFee);
}

/** Time that a failed payout is watched for. */
const WATCH_MS = 30 * 86_400_000;

/** Gives the money back, and has the payout watched from then on. */
async function refundAndWatch(
  tx: Transaction,
  { clock }: PayoutsDeps,
  payout: PayoutRow,
  reason: 'reverted' | 'nonce_used' | 'mismatch_refunded',
): Promise<void> {
  await giveBack(tx, clock, payout);
  await queryNamed(
    tx,
    `update payout set is_settled = false, refunds = refunds + 1, watched_until = :until
     where id = :id`,
    { id: payout.id, until: new Date(clock.now().getTime() + WATCH_MS) },
  );
  await changeStatus(tx, clock, [payout.id], { status: 'failed', reason });
}

/**
 * Ends a sent payout by a transaction that is deep enough: confirmed, or failed when it was
 * reverted. Nothing happens when another instance did it.
 * @param mismatch an operator's decision about one that does not pay what the document says
 */
export async function settlePayout(
  deps: PayoutsDeps,
  id: number,
  { txHash, height, blockHash, isSuccess, fee }: FoundPayment,
  mismatch?: MismatchOutcome,
): Promise<void> {
  const { clock } = deps;
  await post(deps, id, async (tx, payout) => {
    if (payout.status !== 'sent') return;
    const epoch = payout.epoch + 1;
    await postNetworkFee(tx, deps, payout, { fee, epoch });
    await queryNamed(
      tx,
      `update payout set epoch = :epoch, tx_hash = :tx_hash, block_number = :height,
         block_hash = :block_hash, network_fee = :fee where id = :id`,
      { id, epoch, tx_hash: txHash, height, block_hash: blockHash, fee },
    );
    if (!isSuccess) return refundAndWatch(tx, deps, { ...payout, epoch }, 'reverted');
    if (mismatch === 'failed')
      return refundAndWatch(tx, deps, { ...payout, epoch }, 'mismatch_refunded');
    await settleHolds(tx, deps, payout);
    await tx.query('update payout set is_settled = true where id = $1', [id]);
    const paid = payout.refunds > 0 ? 'paid_after_refund' : 'deep_enough';
    const reason = mismatch ? 'mismatch_accepted' : paid;
    await changeStatus(tx, clock, [id], { status: 'confirmed', reason });
  });
}

/** Fails a payout none of whose transactions can come any more, and gives the money back. */
export async function failPayout(deps: PayoutsDeps, id: number): Promise<void> {
  await post(deps, id, async (tx, payout) => {
    if (payout.status !== 'sent' || payout.reason_code !== 'nonce_used_in_block') return;
    const epoch = payout.epoch + 1;
    await queryNamed(tx, 'update payout set epoch = :epoch where id = :id', { id, epoch });
    await refundAndWatch(tx, deps, { ...payout, epoch }, 'nonce_used');
  });
}

/** The chain took the network fee in a block that was replaced. */
async function reverseNetworkFee(tx: Transaction, { id, epoch }: PayoutRow): Promise<void> {
  const transferId = await findTransferNamed(tx, feeKey(id, epoch));
  if (transferId === undefined) return;
  const idempotencyKey = `${feeKey(id, epoch)}/reversal`;
  const [result] = await reverseTransfers(tx, [{ idempotencyKey, transferId }]);
  if (result?.status === 'refused')
    throw new PayoutNotPosted(id, `the network fee was not reversed: ${result.code}`);
}

const FORGET_BLOCK = `update payout set block_number = null, block_hash = null,
  confirmed_at = null, network_fee = null where id = $1`;

/**
 * Takes a confirmed payout back to `sent`: its block was replaced. What arrived stays settled, its
 * user must not spend it twice; the network fee is posted anew by the next confirmation.
 */
export async function reopenPayout(deps: PayoutsDeps, id: number): Promise<void> {
  await post(deps, id, async (tx, payout) => {
    if (payout.status !== 'confirmed') return;
    await reverseNetworkFee(tx, payout);
    await tx.query(FORGET_BLOCK, [id]);
    await changeStatus(tx, deps.clock, [id], { status: 'sent', reason: 'reorganised' });
  });
}

/**
 * Takes a failed payout back to `sent`: a block contains a transaction that pays it, after the
 * money was given back. The money is taken again, and operators find the decision in the log.
 */
export async function reopenFailedPayout(
  deps: PayoutsDeps,
  id: number,
  { txHash, height, blockHash }: FoundPayment,
): Promise<void> {
  const { clock } = deps;
  const work = async (tx: Transaction, payout: PayoutRow): Promise<void> => {
    if (payout.status !== 'failed') return;
    if (payout.reason_code !== 'nonce_used') await reverseNetworkFee(tx, payout);
    await takeAgain(tx, clock, payout);
    await tx.query(FORGET_BLOCK, [id]);
    await tx.query('update payout set is_settled = true, watched_until = null where id = $1', [id]);
    await changeStatus(tx, clock, [id], { status: 'sent', reason: 'paid_after_refund' });
    await recordDecision(tx, clock, {
      payoutId: id,
      decision: 'paid_after_refund',
      decidedBy: `chain:${payout.network}`,
      details: { tx_hash: txHash, block_number: height, block_hash: blockHash },
    });
  };
  await post(deps, id, work, lockDecisions);
}
