/** The cycle of the signer. It can end at any line, and begin again. */
import { acceptPayouts } from './accept-payouts.ts';
import type { Fees } from './evm-wallet.ts';
import { publish, publishDuring, sign, signAccepted } from './publish-transactions.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { StoredPayout } from './state.ts';

/** EIP-1559 nodes take a replacement whose fees are a tenth higher. */
const raise = (fee: bigint): bigint => (fee * 9n) / 8n + 1n;
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

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

/** Ends what is final: paid, or its nonce used by a transaction of another program. */
async function finishFinal(deps: SignerDeps, { finalNext }: Position): Promise<void> {
  const { state, wallet, service, log } = deps;
  const final = state.listOpen().filter(({ nonce }) => nonce < finalNext);
  const paid: number[] = [];
  const lost: number[] = [];
  for (const { id, is_void } of final) {
    const receipts = await wallet.readReceipts(state.listSigned(id).map(({ tx_hash }) => tx_hash));
    (is_void || receipts.some((receipt) => receipt) ? paid : lost).push(id);
  }
  for (const payout_id of lost) log('nonce_used', { payout_id });
  await service.report(lost.map((payout_id) => ({ payout_id, outcome: 'nonce_used' })));
  state.markDone([...paid, ...lost]);
}

/** Sends again what no block contains, at a higher fee when it has waited for long. */
async function resend(deps: SignerDeps, { next }: Position): Promise<void> {
  const { config, state, wallet, now, log } = deps;
  const pending = state.listOpen().filter(({ nonce }) => nonce >= next);
  const fees = pending.length > 0 ? await wallet.readFees() : undefined;
  const again: string[] = [];
  const raised: { payout: StoredPayout; fees: Fees }[] = [];
  for (const payout of pending) {
    const [last] = state.listSigned(payout.id);
    if (!last || now() - last.signed_at < config.stuck_after_s * 1000) continue;
    const maxFee = max(raise(BigInt(last.max_fee)), fees?.maxFee ?? 0n);
    const priorityFee = raise(BigInt(last.priority_fee));
    const isAllowed = fees !== undefined && maxFee <= BigInt(config.max_fee_per_gas);
    if (!isAllowed || priorityFee > maxFee) again.push(last.raw);
    else raised.push({ payout, fees: { maxFee, priorityFee } });
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
  await publish(deps);
  for (;;) {
    const accepted = await publishDuring(deps, () => acceptPayouts(deps));
    await signAccepted(deps);
    if (accepted === 0) break;
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
