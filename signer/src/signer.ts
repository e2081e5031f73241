/** The cycle of the signer. It can end at any line, and begin again. */

import type { SignerConfig } from './config.ts';
import type { EvmWallet, Fees } from './evm-wallet.ts';
import { Allowance, DAY_MS } from './limits.ts';
import { RpcError } from './rpc.ts';
import type { Report, ServiceClient, TakenPayout } from './service-client.ts';
import type { AcceptedPayout, SignerState, StoredPayout } from './state.ts';
import {
  checkApprovals,
  checkDocument,
  type PayoutDocument,
  Refusal,
  readDocument,
} from './verify-payout.ts';

export interface SignerDeps {
  readonly config: SignerConfig;
  readonly state: SignerState;
  readonly service: ServiceClient;
  readonly wallet: EvmWallet;
  readonly now: () => number;
  readonly log: (event: string, details?: Readonly<Record<string, unknown>>) => void;
}

interface Verified {
  readonly taken: TakenPayout;
  readonly document: PayoutDocument;
}

const isReport = (verdict: object): verdict is Report => 'outcome' in verdict;

/** What goes on, and what is reported as refused. */
function split<T extends object>(verdicts: readonly (T | Report)[]): [T[], Report[]] {
  const going = verdicts.filter((verdict): verdict is T => !isReport(verdict));
  return [going, verdicts.filter(isReport)];
}

function toReport(taken: TakenPayout, error: unknown): Report {
  if (!(error instanceof Refusal)) throw error;
  return { payout_id: taken.payout_id, outcome: error.outcome, reason: error.message };
}

async function verify(deps: SignerDeps, taken: TakenPayout): Promise<Verified | Report> {
  const { config, wallet, now } = deps;
  try {
    const document = readDocument(taken);
    const here = { ownAddress: wallet.address, now: now() };
    const token = checkDocument(config, document, here);
    await checkApprovals(config, token, document, taken);
    return { taken, document };
  } catch (error) {
    return toReport(taken, error);
  }
}

/** The gas of verified payouts, and what the limits leave. */
async function admit(
  deps: SignerDeps,
  verified: readonly Verified[],
  fees: Fees,
): Promise<(AcceptedPayout | Report)[]> {
  const { config, state, wallet, now } = deps;
  const at = now();
  const allowance = new Allowance(config, state.listSpentSince(at - DAY_MS), at);
  const gases = await wallet.estimateGas(verified.map(({ document }) => document));
  return verified.map(({ taken, document }, i) => {
    const gas = gases[i] ?? config.gas_max + 1;
    try {
      // Reverts, and also a hot wallet that holds too little: an operator looks at both.
      if (gas instanceof RpcError) throw new Refusal('refused', gas.message.slice(0, 200));
      if (gas > config.gas_max) throw new Refusal('refused', 'the payout needs too much gas');
      const payout: AcceptedPayout = {
        id: taken.payout_id,
        document_hash: taken.document_hash,
        document: taken.document,
        currency: document.currency,
        address: document.address,
        amount: document.amount,
        gas,
        gas_cost: String(BigInt(gas) * fees.maxFee),
      };
      allowance.add(payout);
      return payout;
    } catch (error) {
      return toReport(taken, error);
    }
  });
}

/** Verifies what the service hands over, and gives each accepted payout its nonce. */
async function acceptPayouts(deps: SignerDeps): Promise<void> {
  const { config, state, service, wallet, now, log } = deps;
  const fees = await wallet.readFees();
  if (!fees) {
    log('fees_too_high');
    return;
  }
  const taken = await service.take(config.batch);
  for (const { payout_id, document_hash } of taken)
    if ((state.find(payout_id)?.document_hash ?? document_hash) !== document_hash)
      log('payout_changed', { payout_id });
  const fresh = taken.filter(({ payout_id }) => !state.find(payout_id));
  if (fresh.length === 0) return;
  const verdicts = await Promise.all(fresh.map((one) => verify(deps, one)));
  const [verified, refused] = split<Verified>(verdicts);
  const [accepted, unaffordable] = split<AcceptedPayout>(await admit(deps, verified, fees));
  if (accepted.length > 0) state.accept(accepted, await wallet.countTransactions('pending'), now());
  const reports = [...refused, ...unaffordable];
  for (const report of reports) log('payout_refused', { ...report });
  await service.report(reports);
}

/** Signs what has a nonce and no transaction, and writes it down. */
async function signAccepted(deps: SignerDeps): Promise<void> {
  const { state } = deps;
  const unsigned = state.listUnsigned();
  if (unsigned.length === 0) return;
  const fees = await deps.wallet.readFees();
  if (fees)
    await sign(
      deps,
      unsigned.map((payout) => ({ payout, fees })),
    );
}

async function sign(
  { state, wallet, now }: SignerDeps,
  orders: readonly { readonly payout: StoredPayout; readonly fees: Fees }[],
): Promise<void> {
  const signed = await Promise.all(
    orders.map(async ({ payout, fees }) => {
      const document = JSON.parse(payout.document) as PayoutDocument;
      const { raw, hash } = await wallet.sign(document, { ...payout, fees });
      return {
        payout_id: payout.id,
        tx_hash: hash,
        raw,
        max_fee: String(fees.maxFee),
        priority_fee: String(fees.priorityFee),
        signed_at: now(),
      };
    }),
  );
  state.addSigned(signed);
}

const PUBLISHED_AT_ONCE = 200;

/**
 * Tells the service of each transaction before the chain gets it, so that the service knows all
 * that may pay a payout, whatever becomes of this state. Repeating it is harmless.
 */
async function publish({ state, service, wallet }: SignerDeps): Promise<void> {
  const sender = wallet.address;
  for (;;) {
    const signed = state.listUnpublished(PUBLISHED_AT_ONCE);
    if (signed.length === 0) return;
    const reports = signed.map(({ payout_id, tx_hash, nonce }): Report => {
      return { payout_id, outcome: 'sent', tx_hash, sender, nonce };
    });
    await service.report(reports);
    await wallet.send(signed.map(({ raw }) => raw));
    state.markPublished(signed.map(({ tx_hash }) => tx_hash));
  }
}

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
  for (const { id } of final) {
    const receipts = await wallet.readReceipts(state.listSigned(id).map(({ tx_hash }) => tx_hash));
    (receipts.some((receipt) => receipt) ? paid : lost).push(id);
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
  await acceptPayouts(deps);
  await signAccepted(deps);
  await publish(deps);
  const position = await readPosition(deps);
  const reopened = state.reopen(position.next);
  if (reopened > 0) log('reorganised', { payouts: reopened });
  if (state.listOpen().length === 0) return;
  await finishFinal(deps, position);
  await resend(deps, position);
  await publish(deps);
}
