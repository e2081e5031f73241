/** Verifies what the service hands over, and gives each accepted payout its nonce. */
import { evmRules } from './evm-address.ts';
import type { Fees } from './evm-wallet.ts';
import { Funds, tooLittle } from './funds.ts';
import { Allowance, DAY_MS } from './limits.ts';
import { RpcError } from './rpc.ts';
import type { Report } from './service-client.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { AcceptedPayout } from './state.ts';
import {
  keepRefusals,
  pickFresh,
  type Readable,
  readTaken,
  split,
  toReport,
  verifyTaken,
} from './verdicts.ts';
import { Owners } from './verify-owner.ts';
import { Refusal } from './verify-payout.ts';

interface Terms {
  readonly fees: Fees;
  readonly allowance: Allowance;
  readonly funds: Funds;
  /** The configuration's bound of one payout. */
  readonly gasMax: number;
}

/** What the chain and the limits leave of an approved payout. */
function admit(
  { taken, document, holdStep, order }: Readable,
  gas: number | RpcError,
  { fees, allowance, funds, gasMax }: Terms,
): AcceptedPayout | Report {
  try {
    const { contract } = document;
    const amount = BigInt(document.amount);
    // The chain would refuse it as well, and could not say that it may pay it later.
    if (!funds.has({ contract, amount, gas: 0n })) throw tooLittle();
    // Reverts: an operator looks at it.
    if (gas instanceof RpcError) throw new Refusal('refused', gas.message.slice(0, 200));
    if (gas > gasMax) throw new Refusal('refused', 'the payout needs too much gas');
    const gasCost = BigInt(gas) * fees.maxFee;
    if (!funds.has({ contract, amount, gas: gasCost })) throw tooLittle();
    const payout: AcceptedPayout = {
      id: taken.payout_id,
      document_hash: taken.document_hash,
      document: taken.document,
      currency: document.currency,
      address: document.address,
      amount: document.amount,
      gas,
      gas_cost: String(gasCost),
      hold_step: holdStep,
      ...(order && { order }),
    };
    allowance.add(payout);
    funds.take({ contract, amount, gas: gasCost });
    return payout;
  } catch (error) {
    return toReport(taken, error);
  }
}

/** Verifies payouts; the chain runs those that are approved, and nothing else, for their gas. */
async function examine(
  deps: SignerDeps,
  readable: readonly Readable[],
  fees: Fees,
): Promise<(AcceptedPayout | Report)[]> {
  const { config, state, wallet, now } = deps;
  const contracts = new Set([null, ...readable.map(({ document }) => document.contract)]);
  const verdicts = readable.map(async (one) => (await verifyTaken(config, one)) ?? one);
  const [verified, refused] = split<Readable>(await Promise.all(verdicts));
  const [gases, holdings] = await Promise.all([
    wallet.estimateGas(verified.map(({ document }) => document)),
    wallet.readHoldings([...contracts]),
  ]);
  const at = now();
  const allowance = new Allowance(config, state.listSpentSince(at - DAY_MS), at);
  const funds = new Funds(holdings, state.listOpen());
  const terms = { fees, allowance, funds, gasMax: config.gas_max };
  return [...refused, ...verified.map((one, at) => admit(one, gases[at] ?? Infinity, terms))];
}

/** @returns how many it accepted */
export async function acceptPayouts(deps: SignerDeps): Promise<number> {
  const { config, state, service, wallet, now, log } = deps;
  const fees = await wallet.readFees();
  if (!fees) {
    log('fees_too_high');
    return 0;
  }
  const handed = await service.take(config.batch, state.heads.decisionPosition);
  if (handed.payouts.length === 0) return 0;
  const head = state.heads.accept(handed, config, now());
  const [fresh, changed] = pickFresh(deps, handed.payouts);
  await service.report(changed);
  if (fresh.length === 0) return 0;
  const rules = evmRules(config.chain_id, wallet.address);
  const here = {
    ...{ config, rules, head, heads: state.heads, now: now() },
    ...{ documents: state.documents, owners: new Owners(state.owners), steps: new Set<number>() },
  };
  const [readable, unreadable] = split(fresh.map((one) => readTaken(here, one)));
  const [accepted, refused] = split(await examine(deps, readable, fees));
  if (accepted.length > 0) state.accept(accepted, await wallet.countTransactions('pending'), now());
  const reports = [...unreadable, ...refused];
  keepRefusals(state.documents, fresh, reports);
  for (const report of reports) log('payout_refused', { ...report });
  await service.report(reports);
  return accepted.length;
}
