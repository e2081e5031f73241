/**
 * Books the network fee of a transaction that belongs to no payout: one that used a nonce or a coin
 * and paid nothing. The signer sends such transactions, and the service does not hear of them.
 */
import { type Database, transaction } from '../db/index.ts';
import { postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { formatAmount } from '../lib/money.ts';
import type { MasterKey } from '../master-key.ts';
import { isAgreedPayment } from './agree-payment.ts';
import { finalHeight, openChainView } from './chain-view.ts';
import { COIN_DECIMALS, findCoin } from './settle-payout.ts';
import type { HotWallet } from './verify-wallets.ts';

export interface FeeDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

export interface BookedFee {
  readonly currency: string;
  /** Exact decimal. */
  readonly amount: string;
  /** False: it was booked before. */
  readonly isNew: boolean;
}

/** The fee, in the smallest unit of the coin. @throws Error that says why it is not booked */
async function readFee(
  masterKey: MasterKey,
  { network, address }: HotWallet,
  txHash: string,
): Promise<bigint> {
  const view = await openChainView(masterKey, network);
  const payment = await view.node.readPayment(txHash, address);
  if (!payment) throw new Error(`no block of ${network.code} contains ${txHash}`);
  if (!payment.isToSelf)
    throw new Error(`${txHash} is no transaction of ${address} to itself: look at it`);
  const isFinal = payment.height <= finalHeight(view);
  if (!isFinal || !(await isAgreedPayment(view, address, { ...payment, txHash })))
    throw new Error(`the block of ${txHash} is not final yet`);
  return payment.fee;
}

/**
 * Posts the fee from the fees to the clearing account of withdrawals, once.
 * @throws Error that says why it is not booked
 */
export async function bookNetworkFee(
  { database, masterKey, clock }: FeeDeps,
  wallet: HotWallet,
  txHash: string,
): Promise<BookedFee> {
  const { network } = wallet;
  const hash = txHash.toLowerCase();
  const fee = await readFee(masterKey, wallet, hash);
  return transaction(database, async (tx) => {
    const currency = await findCoin(tx, network.code);
    if (currency === undefined)
      throw new Error(`the ledger has no currency for the coin of ${network.code}`);
    const { rowCount } = await tx.query('select from payout_transaction where tx_hash = $1', [
      hash,
    ]);
    if (rowCount > 0) throw new Error(`${hash} belongs to a payout, and is booked with it`);
    const [result] = await postTransfers(tx, [
      {
        idempotencyKey: `payout/void/${network.code}/${hash}`,
        debit: { house: 'fees' },
        credit: { house: 'withdrawal_clearing' },
        currency,
        amount: fee,
        businessId: 'withdrawal_fee',
        eventAt: clock.now(),
        // A repetition is the same posting, whatever the time.
        isTimeDefault: true,
        mayOverdraw: true,
        reference: hash,
        remark: network.code,
      },
    ]);
    if (!result || result.status === 'refused')
      throw new Error(`the fee was not posted: ${result?.code}`);
    const amount = formatAmount(fee, COIN_DECIMALS[network.kind]);
    return { currency, amount, isNew: result.status === 'posted' };
  });
}
