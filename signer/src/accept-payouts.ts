/** Verifies what the service hands over, and gives each accepted payout its nonce. */
import type { Fees } from './evm-wallet.ts';
import { Allowance, DAY_MS } from './limits.ts';
import { RpcError } from './rpc.ts';
import type { Report, TakenPayout } from './service-client.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { AcceptedPayout } from './state.ts';
import {
  checkApprovals,
  checkDocument,
  type PayoutDocument,
  Refusal,
  readDocument,
} from './verify-payout.ts';

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

/** A payout that this state knows is paid as it was accepted, or never. */
function checkKnown(
  { state, log }: SignerDeps,
  { payout_id, document_hash }: TakenPayout,
): Report[] {
  const known = state.find(payout_id);
  if (!known || known.document_hash === document_hash) return [];
  log('payout_changed', { payout_id });
  const reason = 'this signer gave the payout up: reject it, or pay it with another state';
  return known.is_void ? [{ payout_id, outcome: 'refused', reason }] : [];
}

export async function acceptPayouts(deps: SignerDeps): Promise<void> {
  const { config, state, service, wallet, now, log } = deps;
  const fees = await wallet.readFees();
  if (!fees) {
    log('fees_too_high');
    return;
  }
  const taken = await service.take(config.batch);
  await service.report(taken.flatMap((one) => checkKnown(deps, one)));
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
