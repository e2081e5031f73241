/** Follows transactions to their end: paid, replaced at a higher fee, or their coin is gone. */
import { DAY_MS, GasAllowance } from '../limits.ts';
import type { PayoutDocument } from '../verify-payout.ts';
import type { Coin, Tip } from './node.ts';
import { publish, readRate, type SigningOrder, sign, type UtxoDeps } from './signer.ts';
import type { StoredPayout, StoredTransaction } from './state.ts';

interface Position {
  readonly payout: StoredPayout;
  readonly signed: readonly StoredTransaction[];
  readonly coins: readonly Coin[];
  /** Of the transaction that a block contains; 0: no block contains one. */
  readonly depth: number;
  /** Coins that a block of the chain has spent with another transaction. */
  readonly lost: readonly Coin[];
}

/** How deep the transactions of payouts are, in the order of the payouts. */
async function readDepths(
  { node }: UtxoDeps,
  signed: readonly (readonly StoredTransaction[])[],
): Promise<number[]> {
  const depths = await node.readDepths(signed.flat().map(({ tx_hash }) => tx_hash));
  let at = 0;
  return signed.map((list) => {
    const own = depths.slice(at, at + list.length);
    at += list.length;
    return own.reduce<number>((deepest, depth = 0) => Math.max(deepest, depth), 0);
  });
}

/** Coins that are spent: the block of the transaction that made them is still in the chain. */
async function findSpent({ node }: UtxoDeps, coins: readonly Coin[]): Promise<Coin[]> {
  const unspent = await node.readUnspent(coins, { withPool: false });
  const gone = coins.filter((_coin, at) => unspent[at] === undefined);
  const depths = await node.readDepths(gone.map(({ txid }) => txid));
  return gone.filter((_coin, at) => (depths[at] ?? 0) > 0);
}

/** The open payouts at one block; undefined when another came meanwhile. */
async function readPositions(
  deps: UtxoDeps,
): Promise<{ positions: Position[]; tip: Tip } | undefined> {
  const { node, state } = deps;
  const tip = await node.readTip();
  const open = state.listOpen();
  const signed = open.map(({ id }) => state.listSigned(id));
  const depths = await readDepths(deps, signed);
  const coins = open.map(({ id }) => state.listCoins(id));
  const waiting = coins.flatMap((list, at) => (depths[at] === 0 ? list : []));
  const spent = await findSpent(deps, waiting);
  const isSame = (await node.readTip()).hash === tip.hash;
  if (!isSame || (await node.readIndexedHeight()) < tip.height) return undefined;
  const positions = open.map((payout, at) => {
    const own = coins[at] ?? [];
    const depth = depths[at] ?? 0;
    const lost = own.filter((coin) => spent.includes(coin));
    return { payout, signed: signed[at] ?? [], coins: own, depth, lost };
  });
  return { positions, tip };
}

/**
 * Ends a payout whose coin another transaction has spent, once that is final: the block at which it
 * was seen is deep enough. Until then the chain may still take the payout.
 */
async function followConflict(
  { config, state, service, node, log }: UtxoDeps,
  { payout, coins, lost }: Position,
  tip: Tip,
): Promise<void> {
  const { id, conflict_hash } = payout;
  const depth = conflict_hash === null ? -1 : await node.readBlockDepth(conflict_hash);
  if (depth < 1) {
    log('coin_spent', { payout_id: id, height: tip.height });
    state.noteConflict(id, tip);
    return;
  }
  if (depth < config.confirmations) return;
  log('coin_lost', { payout_id: id });
  await service.report([{ payout_id: id, outcome: 'nonce_used' }]);
  state.markLost(
    id,
    coins.filter((coin) => !lost.includes(coin)),
  );
}

/**
 * The next transaction of one that waits for long; undefined: it may not cost more, as its coins
 * were chosen for the highest rate of then, and the budget is that of now.
 */
function raise(
  { config, wallet, now, log }: UtxoDeps,
  { payout, signed, coins }: Position,
  rateNow: number,
  budget: GasAllowance,
): SigningOrder | undefined {
  const [last] = signed;
  // What the service does not know yet, or has stopped, is published first.
  if (last?.is_published !== 1) return undefined;
  if (now() - last.signed_at < config.stuck_after_s * 1000) return undefined;
  // Nodes take a replacement that pays more by what relaying it costs.
  const rate = Math.max(Math.ceil(last.rate * 1.25) + 1, rateNow);
  if (rate > config.fee_rate_max) return undefined;
  const fee = wallet.feeAt(JSON.parse(payout.document) as PayoutDocument, coins, rate);
  if (fee === undefined) log('replacement_over_coins', { payout_id: payout.id });
  // Without change there is nothing to raise the fee with.
  if (fee === undefined || fee <= BigInt(last.fee)) return undefined;
  if (fee <= BigInt(payout.fee_max) || budget.raise(payout.id, fee)) return { payout, rate };
  log('replacement_over_budget', { payout_id: payout.id });
  return undefined;
}

/** Sends again what no block contains, at a higher fee when it has waited for long. */
async function resend(deps: UtxoDeps, waiting: readonly Position[]): Promise<void> {
  const { config, state, node, now, log } = deps;
  if (waiting.length === 0) return;
  const rateNow = await readRate(deps);
  const limits = { gas_budget_day: config.fee_budget_day };
  const budget = new GasAllowance(limits, state.listSpentSince(now() - DAY_MS));
  const raised = waiting.flatMap((position) =>
    rateNow === undefined ? [] : (raise(deps, position, rateNow, budget) ?? []),
  );
  if (raised.length > 0) {
    log('fees_raised', { payouts: raised.length });
    sign(deps, raised);
    await publish(deps);
  }
  // The newest first: where the pool holds an older one and does not replace it, that one stays.
  const isKnown = ({ is_published }: StoredTransaction): boolean => is_published === 1;
  const raws = waiting.flatMap(({ signed }) => signed.filter(isKnown).map(({ raw }) => raw));
  await node.send(raws);
}

/** Sends again what the chain has not taken: the process may have ended before. */
export async function resendAll(deps: UtxoDeps): Promise<void> {
  const found = await readPositions(deps);
  const waiting = found?.positions.filter(({ depth, lost }) => depth === 0 && lost.length === 0);
  await resend(deps, waiting ?? []);
}

const REOPENED_MS = 7 * DAY_MS;

/** After a reorganisation paid payouts are looked at again: their blocks may be gone. */
async function reopen({ state, node, now, log }: UtxoDeps): Promise<void> {
  const before = state.readTip();
  const { hash } = await node.readTip();
  if (before !== undefined && before !== hash && (await node.readBlockDepth(before)) < 1) {
    log('reorganised', { block: before });
    state.reopenSince(now() - REOPENED_MS);
  }
  state.noteTip(hash);
}

/** Looks at each payout that is not final. */
export async function follow(deps: UtxoDeps): Promise<void> {
  const { config, state } = deps;
  await reopen(deps);
  if (state.listOpen().length === 0) return;
  const found = await readPositions(deps);
  if (!found) return;
  const { positions, tip } = found;
  state.markDone(
    positions.filter(({ depth }) => depth >= config.confirmations).map(({ payout }) => payout.id),
  );
  const pending = positions.filter(({ depth }) => depth === 0);
  for (const position of positions) {
    if (position.lost.length > 0) await followConflict(deps, position, tip);
    else if (position.payout.conflict_hash !== null)
      state.noteConflict(position.payout.id, undefined);
  }
  await resend(
    deps,
    pending.filter(({ lost }) => lost.length === 0),
  );
}
