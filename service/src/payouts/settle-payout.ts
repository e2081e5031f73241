/** The books of a payout whose transaction is deep enough, and of a reorganisation after that. */
import { type Transaction, transaction } from '../db/index.ts';
import type { Payment } from '../deposits/index.ts';
import {
  findCurrency,
  findTransferNamed,
  postTransfers,
  reverseTransfers,
  settleHold,
} from '../ledger/index.ts';
import type { PayoutsDeps } from './context.ts';
import { changeStatus, lockPayout, type PayoutRow } from './queries.ts';
import { giveBack } from './release-payout.ts';

/** Decimals of the chain's own coin, in which fees are paid. */
export const COIN_DECIMALS = { evm: 18, utxo: 8 } as const;

export interface FoundPayment extends Payment {
  readonly txHash: string;
}

const feeKey = (id: number, epoch: number): string => `payout/${id}/network-fee/${epoch}`;

async function settlePart(
  tx: Transaction,
  deps: PayoutsDeps,
  part: { readonly key: string; readonly holdId: number; readonly house: string },
): Promise<void> {
  const result = await settleHold(tx, {
    idempotencyKey: part.key,
    holdId: part.holdId,
    credit: { house: part.house },
    eventAt: deps.clock.now(),
  });
  if (result.status === 'refused')
    throw new Error(`the hold ${part.holdId} of a payout was not settled: ${result.code}`);
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
    throw new Error(`the network fee of payout ${id} was not posted: ${result.code}`);
}

/** Settles what was held: what arrived to the clearing account, the fee to the fees. */
async function settleHolds(tx: Transaction, deps: PayoutsDeps, payout: PayoutRow): Promise<void> {
  const { id, hold_id, fee_hold_id } = payout;
  if (payout.is_settled) return;
  const net = { key: `payout/${id}/settle`, holdId: hold_id, house: 'withdrawal_clearing' };
  await settlePart(tx, deps, net);
  if (fee_hold_id !== null)
    await settlePart(tx, deps, {
      key: `payout/${id}/settle/fee`,
      holdId: fee_hold_id,
      house: 'fees',
    });
}

/**
 * Ends a sent payout by a transaction that is deep enough: confirmed, or failed when it was
 * reverted. Nothing happens when another instance did it.
 */
export async function settlePayout(
  deps: PayoutsDeps,
  id: number,
  { txHash, height, blockHash, isSuccess, fee }: FoundPayment,
): Promise<void> {
  const { clock } = deps;
  await transaction(deps.database, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout.status !== 'sent') return;
    const epoch = payout.epoch + 1;
    if (isSuccess) await settleHolds(tx, deps, payout);
    else await giveBack(tx, clock, payout);
    await postNetworkFee(tx, deps, payout, { fee, epoch });
    await tx.query(
      `update payout set epoch = $2, is_settled = $3, tx_hash = $4, block_number = $5,
         block_hash = $6, network_fee = $7 where id = $1`,
      [id, epoch, isSuccess, txHash, height, blockHash, fee],
    );
    const change = isSuccess
      ? ({ status: 'confirmed', reason: 'deep_enough' } as const)
      : ({ status: 'failed', reason: 'reverted' } as const);
    await changeStatus(tx, clock, [id], change);
  });
}

/** Fails a payout none of whose transactions can come any more, and gives the money back. */
export async function failPayout(deps: PayoutsDeps, id: number): Promise<void> {
  await transaction(deps.database, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout.status !== 'sent' || payout.reason_code !== 'nonce_used') return;
    await giveBack(tx, deps.clock, payout);
    await tx.query('update payout set is_settled = false where id = $1', [id]);
    await changeStatus(tx, deps.clock, [id], { status: 'failed', reason: 'nonce_used' });
  });
}

/**
 * Takes a confirmed payout back to `sent`: its block was replaced. What arrived stays settled, its
 * user must not spend it twice; the network fee is posted anew by the next confirmation.
 */
export async function reopenPayout(deps: PayoutsDeps, id: number): Promise<void> {
  await transaction(deps.database, async (tx) => {
    const payout = await lockPayout(tx, id);
    if (payout.status !== 'confirmed') return;
    const transferId = await findTransferNamed(tx, feeKey(id, payout.epoch));
    if (transferId !== undefined) {
      const idempotencyKey = `${feeKey(id, payout.epoch)}/reversal`;
      const [result] = await reverseTransfers(tx, [{ idempotencyKey, transferId }]);
      if (result?.status === 'refused')
        throw new Error(`the network fee of payout ${id} was not reversed: ${result.code}`);
    }
    await tx.query(
      `update payout set block_number = null, block_hash = null, confirmed_at = null,
         network_fee = null where id = $1`,
      [id],
    );
    await changeStatus(tx, deps.clock, [id], { status: 'sent', reason: 'reorganised' });
  });
}
