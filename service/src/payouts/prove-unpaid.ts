/**
 * Proves that no transaction of a payout can come any more: another transaction has its nonce or
 * its coin, in a block that is final. The signer's word alone gives nothing back.
 */
import type { Db } from '../db/index.ts';
import type { ChainNode } from '../deposits/index.ts';
import { type ChainView, deepHeight, finalHeight, isAgreed } from './chain-view.ts';
import type { PayoutsDeps } from './context.ts';
import { findPayment } from './find-payment.ts';
import { noteSpentCoin } from './note-spent-coin.ts';
import { noteUsedInBlock } from './note-used-in-block.ts';
import type { PayoutRow } from './queries.ts';
import { failPayout } from './settle-payout.ts';

/** By the endpoint of this run: one question for all payouts of a wallet. */
async function isNonceUsedHere(view: ChainView, { sender, nonce }: PayoutRow): Promise<boolean> {
  if (sender === null || nonce === null) return false;
  const { sentCounts, node } = view;
  const reading = sentCounts.get(sender) ?? node.countSent(sender, deepHeight(view));
  sentCounts.set(sender, reading);
  return ((await reading) ?? 0) > nonce;
}

/** By a witness. Undefined: it does not answer. */
async function isNonceUsed(
  node: ChainNode,
  { sender, nonce }: PayoutRow,
  height: number,
): Promise<boolean | undefined> {
  try {
    const count = await node.countSent(sender ?? '', height);
    return count !== undefined && nonce !== null && count > nonce;
  } catch {
    return undefined;
  }
}

/** True when the endpoints agree that the nonce is used. */
async function isUsedUp(view: ChainView, payout: PayoutRow): Promise<boolean> {
  const { node, pool } = view;
  if (!(await isNonceUsedHere(view, payout))) return false;
  const height = deepHeight(view);
  const votes = await Promise.all(
    pool.listWitnesses(node).map((witness) => isNonceUsed(witness, payout, height)),
  );
  if (votes.includes(false)) return false;
  return votes.includes(true) || votes.every((vote) => vote === undefined);
}

/** No other endpoint knows a block with a transaction of the payout. */
async function isUnpaidElsewhere(db: Db, view: ChainView, payout: PayoutRow): Promise<boolean> {
  for (const witness of view.pool.listWitnesses(view.node))
    if (await findPayment(db, witness, payout).catch(() => undefined)) return false;
  return true;
}

/** Notes the block at which the nonce was used, to wait until that block is final. */
async function noteUsed(db: Db, view: ChainView, payout: PayoutRow): Promise<void> {
  if (view.network.kind === 'utxo') return noteSpentCoin(db, view, payout);
  const height = deepHeight(view);
  if (height < 0 || !(await isUsedUp(view, payout))) return;
  const block = await view.node.readHeader(height);
  if (block) await noteUsedInBlock(db, payout.id, block);
}

/** The block was replaced: whether the nonce is used is looked at again. */
async function forgetUsed(db: Db, id: number): Promise<void> {
  await db.query(
    `update payout set block_number = null, block_hash = null,
       reason_code = 'in_pool'
     where id = $1 and status = 'sent'`,
    [id],
  );
}

/** Looks at a sent payout none of whose transactions is in the chain. */
export async function followUnpaid(
  deps: PayoutsDeps,
  view: ChainView,
  payout: PayoutRow,
): Promise<void> {
  const { database: db } = deps;
  const { id, reason_code, block_number: height, block_hash: hash } = payout;
  if (reason_code !== 'nonce_used_in_block' || height === null || hash === null)
    return noteUsed(db, view, payout);
  if ((await view.node.readHeader(height))?.hash !== hash) {
    await forgetUsed(db, id);
    return;
  }
  const isFinal = height <= finalHeight(view) && (await isAgreed(view, { height, hash }));
  if (isFinal && (await isUnpaidElsewhere(db, view, payout))) await failPayout(deps, id);
}
