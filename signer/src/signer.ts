/** The cycle of the signer. It can end at any line, and begin again. */
import { acceptPayouts } from './accept-payouts.ts';
import type { Fees } from './evm-wallet.ts';
import { DAY_MS, GasAllowance } from './limits.ts';
import type { Stored } from './payout-store.ts';
import { publish, publishDuring, sign, signAccepted } from './publish-transactions.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { SignedTransaction, StoredPayout } from './state.ts';

/** EIP-1559 nodes take a replacement whose fees are a tenth higher. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n;
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

type Signed = Stored<SignedTransaction>;

interface Position {
  /** The chain's next nonce at its head, and at the depth that is final. */
  readonly next: number;
  readonly finalNext: number;
}

async function readPosition({ config, wallet }: SignerDeps): Promise<Position> {
  const height = await wallet.readHeight();
  const next = await wallet.countTransactions('latest');
  const finalHeight = height - config.confirmations + 1;
  return { next, finalNext: finalHeight < 0 ? 0 : await wallet.countTransactions(finalHeight) };
}

/** Payouts at once of which the chain is asked. */
const FINISHED_AT_ONCE = 100;

/** Payouts one of whose transactions a block contains. */
async function readPaid(
  { state, wallet }: SignerDeps,
  payouts: readonly StoredPayout[],
): Promise<Set<number>> {
  const signed = payouts.flatMap(({ id }) => state.listSigned(id));
  const receipts = await wallet.readReceipts(signed.map(({ tx_hash }) => tx_hash));
  return new Set(signed.flatMap(({ payout_id }, at) => (receipts[at] ? [payout_id] : [])));
}

/** Ends what is final: paid, or its nonce used by a transaction of another program. */
async function finishFinal(deps: SignerDeps, { finalNext }: Position): Promise<void> {
  const { state, service, log } = deps;
  const final = state.listOpen().filter(({ nonce }) => nonce < finalNext);
  const paid: number[] = [];
  const lost: number[] = [];
  for (let at = 0; at < final.length; at += FINISHED_AT_ONCE) {
    const some = final.slice(at, at + FINISHED_AT_ONCE);
    const found = await readPaid(deps, some);
    for (const { id, is_void } of some) (is_void || found.has(id) ? paid : lost).push(id);
  }
  for (const payout_id of lost) log('nonce_used', { payout_id });
  await service.report(lost.map((payout_id) => ({ payout_id, outcome: 'nonce_used' })));
  state.markDone([...paid, ...lost]);
}

/** The fees of the transaction that replaces one; undefined: the chain costs more than allowed. */
function raiseFees(
  { config }: SignerDeps,
  last: SignedTransaction,
  now: Fees | undefined,
): Fees | undefined {
  const maxFee = max(raise(BigInt(last.max_fee)), now?.maxFee ?? 0n);
  const priorityFee = raise(BigInt(last.priority_fee));
  const isAllowed = now !== undefined && maxFee <= BigInt(config.max_fee_per_gas);
  return isAllowed && priorityFee <= maxFee ? { maxFee, priorityFee } : undefined;
}

/**
 * Sends again what no block contains, at a higher fee when it has waited for long. A replacement
 * for which the budget for gas leaves no room waits: the transaction before it stays valid.
 */
async function resend(deps: SignerDeps, { next }: Position): Promise<void> {
  const { config, state, wallet, now, log } = deps;
  // What the service does not know yet, or has stopped, is published first.
  const isStuck = (last: Signed | undefined): last is Signed =>
    last?.is_published === 1 && now() - last.signed_at >= config.stuck_after_s * 1000;
  const stuck = state
    .listOpen()
    .filter(({ nonce }) => nonce >= next)
    .map((payout) => ({ payout, last: state.listSigned(payout.id)[0] }))
    .flatMap(({ payout, last }) => (isStuck(last) ? [{ payout, last }] : []));
  if (stuck.length === 0) return;
  const fees = await wallet.readFees();
  const gas = new GasAllowance(config, state.listSpentSince(now() - DAY_MS));
  const again: string[] = [];
  const raised: { payout: StoredPayout; fees: Fees }[] = [];
  for (const { payout, last } of stuck) {
    const raisedFees = raiseFees(deps, last, fees);
    const isInBudget =
      raisedFees !== undefined && gas.raise(payout.id, BigInt(payout.gas) * raisedFees.maxFee);
    if (isInBudget) raised.push({ payout, fees: raisedFees });
    else again.push(last.raw);
    if (raisedFees && !isInBudget) log('replacement_over_budget', { payout_id: payout.id });
  }
  if (raised.length > 0) log('fees_raised', { payouts: raised.length });
  await wallet.send(again);
  if (raised.length > 0) await sign(deps, raised);
}

/** What was signed may not have reached the chain before the process ended. */
export async function resendAll({ state, wallet }: SignerDeps): Promise<void> {
  const next = await wallet.countTransactions('latest');
  const raws = state.listOpen().flatMap(({ id, nonce }) => {
    // What the service does not know yet is published first.
    const last = state.listSigned(id).find(({ is_published }) => is_published === 1);
    return last && nonce >= next ? [last.raw] : [];
  });
  await wallet.send(raws);
}

/** One cycle. */
export async function runCycle(deps: SignerDeps): Promise<void> {
  const { state, log } = deps;
  const isFree = await publish(deps);
  while (isFree) {
    const accepted = await publishDuring(deps, () => acceptPayouts(deps));
    await signAccepted(deps);
    if (!accepted) break;
  }
  await publish(deps);
  const position = await readPosition(deps);
  const reopened = state.reopen(position.next);
  if (reopened > 0) {
    log('reorganised', { payouts: reopened });
    await resendAll(deps);
  }
  if (state.listOpen().length === 0) return;
  await finishFinal(deps, position);
  await resend(deps, position);
  await publish(deps);
}
