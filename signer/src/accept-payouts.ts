/** Verifies what the service hands over, and gives each accepted payout its nonce. */
import { evmRules } from './evm-address.ts';
import type { Fees } from './evm-wallet.ts';
import { Allowance, DAY_MS } from './limits.ts';
import { RpcError } from './rpc.ts';
import type { Report } from './service-client.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { AcceptedPayout } from './state.ts';
import { pickFresh, split, toReport, type Verified, verifyTaken } from './verdicts.ts';
import { Refusal } from './verify-payout.ts';

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

export async function acceptPayouts(deps: SignerDeps): Promise<void> {
  const { config, state, service, wallet, now, log } = deps;
  const fees = await wallet.readFees();
  if (!fees) {
    log('fees_too_high');
    return;
  }
  const taken = await service.take(config.batch);
  const [fresh, changed] = pickFresh(deps, taken);
  await service.report(changed);
  if (fresh.length === 0) return;
  const here = { rules: evmRules(config.chain_id, wallet.address), now: now() };
  const verdicts = await Promise.all(fresh.map((one) => verifyTaken(config, here, one)));
  const [verified, refused] = split<Verified>(verdicts);
  const [accepted, unaffordable] = split<AcceptedPayout>(await admit(deps, verified, fees));
  if (accepted.length > 0) state.accept(accepted, await wallet.countTransactions('pending'), now());
  const reports = [...refused, ...unaffordable];
  for (const report of reports) log('payout_refused', { ...report });
  await service.report(reports);
}
