/** A reorganisation: what stood in replaced blocks is taken back, and the watcher goes on from their common ancestor. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { listUndone, type Posting, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Cursor, isAt, lockState, moveCursor } from './chain-state.ts';
import { creditName } from './credit-deposits.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { Network } from './networks.ts';

const AT_ONCE = 1000;
const ORPHANED = DEPOSIT_REASONS.say('block_replaced');

interface CreditedRow {
  id: number;
  user_id: number;
  currency: string;
  amount: string;
  epoch: number;
  network: string;
  tx_hash: string;
}

function toReversal(row: CreditedRow, at: Date): Posting {
  return {
    idem: `deposit_reversal/${row.id}/${row.epoch}`,
    debit: { userId: row.user_id, wallet: 'asset' },
    credit: { house: 'deposit_clearing' },
    currency: row.currency,
    amount: BigInt(row.amount),
    businessId: 'deposit_reversal',
    eventAt: at,
    reference: row.tx_hash,
    remark: row.network,
    mayOverdraw: true,
  };
}

const CREDITED = `select id, user_id, currency, amount, epoch, network, tx_hash from deposit
  where network = $1 and block_number > $2 and status = 'credited' order by id limit ${AT_ONCE} for update`;

/** Counts as an adjustment: whoever lowered the sum of somebody's deposits by hand must not keep the whole network where it is. */
function toAdjustment(posting: Posting): Posting {
  return { ...posting, idem: `${posting.idem}/adjustment`, businessId: 'adjustment' };
}

/** Takes back what was not undone already. */
async function takeBack(tx: Transaction, rows: readonly CreditedRow[], at: Date): Promise<void> {
  const undone = await listUndone(
    tx,
    rows.map((row) => creditName(row.id, row.epoch)),
  );
  const postings = rows.filter((row) => !undone.has(creditName(row.id, row.epoch))).map((row) => toReversal(row, at));
  const results = await postTransfers(tx, postings);
  const codes = results.map((result) => (result.status === 'refused' ? result.code : undefined));
  const others = await postTransfers(tx, postings.filter((_, i) => codes[i] === 'counter_negative').map(toAdjustment));
  const refused = [...codes.filter((code) => code !== 'counter_negative'), ...others.map((result) => (result.status === 'refused' ? result.code : undefined))];
  const code = refused.find((one) => one !== undefined);
  if (code !== undefined) throw new Error(`the ledger refused a deposit reversal: ${code}`);
}

/** Takes credited deposits back; a balance may go below zero by it, which freezes the account's withdrawals. */
async function reverseCredited(tx: Transaction, clock: Clock, network: string, height: number): Promise<void> {
  for (;;) {
    const { rows } = await tx.query<CreditedRow>(CREDITED, [network, height]);
    if (rows.length === 0) return;
    const at = clock.now();
    await takeBack(tx, rows, at);
    const ids = rows.map((row) => row.id);
    await tx.query("update deposit set status = 'reversed', reason = $2, reversed_at = $3 where id = any($1::bigint[])", [ids, ORPHANED, at]);
    await recordDepositEvents(tx, clock, ids);
  }
}

/** Sets what is not credited aside, whatever else it was; an operator's word about it stays. */
async function orphanOpen(tx: Transaction, clock: Clock, network: string, height: number): Promise<void> {
  const { rows } = await tx.query<{ id: number }>(
    `update deposit set status = 'orphaned', reason = $3 where network = $1 and block_number > $2
       and status in ('confirming', 'below_minimum', 'unsupported', 'on_hold', 'rejected') returning id`,
    [network, height, ORPHANED],
  );
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    await recordDepositEvents(
      tx,
      clock,
      rows.slice(at, at + AT_ONCE).map((row) => row.id),
    );
  }
}

/** Takes everything above a block back; run it under the lock of the chain's state. */
export async function rewindTo(tx: Transaction, clock: Clock, network: string, to: Cursor): Promise<void> {
  await orphanOpen(tx, clock, network, to.height);
  await reverseCredited(tx, clock, network, to.height);
  await tx.query('delete from chain_block where network = $1 and height > $2', [network, to.height]);
  await moveCursor(tx, network, to);
}

/**
 * Goes back from a replaced cursor to a block that is still part of the chain.
 * @returns false when another watcher has moved the cursor meanwhile
 */
export async function rewindChain(db: Db, clock: Clock, network: Network, from: Cursor, to: Cursor): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), from)) return false;
    await rewindTo(tx, clock, network.code, to);
    return true;
  });
}

/** Stops a network for people to look at: nothing is read, credited or reversed until an operator resumes it. */
export async function haltChain(db: Db, clock: Clock, network: Network, at: Cursor, reason: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!isAt(await lockState(tx, network.code), at)) return false;
    await tx.query('update chain_state set halted_at = $2, halted_reason = $3 where network = $1', [network.code, clock.now(), reason]);
    await recordEvent(tx, clock, { type: 'chain.halted', data: { network: network.code, height: at.height, hash: at.hash, reason } });
    return true;
  });
}
