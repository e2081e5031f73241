/** The cycle of a signer of the Bitcoin family. It can end at any line, and begin again. */
import { Allowance, DAY_MS } from '../limits.ts';
import { isStopped, isTakenBack, type Report, type ServiceClient } from '../service-client.ts';
import {
  keepRefusals,
  pickFresh,
  type Readable,
  readTaken,
  split,
  toReport,
  verifyTaken,
} from '../verdicts.ts';
import { Owners } from '../verify-owner.ts';
import { type PayoutDocument, Refusal } from '../verify-payout.ts';
import { utxoRules } from './addresses.ts';
import type { Coins } from './coins.ts';
import type { UtxoConfig } from './config.ts';
import type { Coin, UtxoNode } from './node.ts';
import type { AcceptedPayout, SignedTransaction, StoredPayout, UtxoState } from './state.ts';
import type { UtxoWallet } from './wallet.ts';

export interface UtxoDeps {
  readonly config: UtxoConfig;
  readonly state: UtxoState;
  readonly service: ServiceClient;
  readonly wallet: UtxoWallet;
  readonly node: UtxoNode;
  readonly coins: Coins;
  readonly now: () => number;
  readonly log: (event: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** What a transaction costs a byte now: undefined above the bound of the configuration. */
export async function readRate({ config, node }: UtxoDeps): Promise<number | undefined> {
  const rate = Math.max(await node.readFeeRate(config.fee_target), config.fee_rate_min);
  return rate > config.fee_rate_max ? undefined : rate;
}

const TOO_FEW = 'the wallet has too few coins now';

/** Chooses coins that can pay for the highest fee rate: a replacement spends the same ones. */
function choose(
  { config, wallet }: UtxoDeps,
  { taken, document, holdStep, order }: Readable,
  free: readonly Coin[],
): AcceptedPayout {
  if (wallet.isDust(BigInt(document.amount)))
    throw new Refusal('refused', 'the amount is dust: no node relays it');
  const selection = wallet.select(document, free, config.fee_rate_max);
  if (!selection) throw new Refusal('postponed', TOO_FEW, 'hot_wallet');
  const { currency, address, amount } = document;
  return {
    ...{ id: taken.payout_id, document_hash: taken.document_hash, document: taken.document },
    ...{ currency, address, amount },
    fee_max: String(selection.fee),
    coins: selection.coins,
    hold_step: holdStep,
    ...(order && { order }),
  };
}

/** The coins of verified payouts, and what the limits leave. */
function admit(
  deps: UtxoDeps,
  verified: readonly Readable[],
  coins: readonly Coin[],
): (AcceptedPayout | Report)[] {
  const { config, state, now } = deps;
  const at = now();
  const limits = { tokens: config.tokens, gas_budget_day: config.fee_budget_day };
  const allowance = new Allowance(limits, state.listSpentSince(at - DAY_MS), at);
  let free = coins;
  return verified.map((one) => {
    try {
      const payout = choose(deps, one, free);
      allowance.add({ ...payout, gas_cost: payout.fee_max });
      free = free.filter((coin) => !payout.coins.includes(coin));
      return payout;
    } catch (error) {
      return toReport(one.taken, error);
    }
  });
}

const isTooFew = (verdict: AcceptedPayout | Report): boolean =>
  'reason' in verdict && verdict.reason === TOO_FEW;

/** Looks for new coins when those that are known do not suffice. */
async function admitAfterScan(
  deps: UtxoDeps,
  verified: readonly Readable[],
): Promise<(AcceptedPayout | Report)[]> {
  const { coins } = deps;
  const first = admit(deps, verified, await coins.listFree());
  if (!first.some(isTooFew) || !(await coins.scan())) return first;
  return admit(deps, verified, await coins.listFree());
}

/** Verifies what the service hands over, and gives each accepted payout its coins. */
async function acceptPayouts(deps: UtxoDeps): Promise<void> {
  const { config, state, service, wallet, now, log } = deps;
  if ((await readRate(deps)) === undefined) {
    log('fees_too_high');
    return;
  }
  const handed = await service.take(config.batch, state.heads.decisionPosition);
  if (handed.payouts.length === 0) return;
  const head = state.heads.accept(handed, config, now());
  const [fresh, changed] = pickFresh(deps, handed.payouts);
  await service.report(changed);
  if (fresh.length === 0) return;
  const rules = utxoRules(wallet.network, wallet.address);
  const here = {
    ...{ config, rules, head, heads: state.heads, now: now() },
    ...{ documents: state.documents, owners: new Owners(state.owners), steps: new Set<number>() },
  };
  const [readable, unreadable] = split(fresh.map((one) => readTaken(here, one)));
  const verdicts = await Promise.all(
    readable.map(async (one) => (await verifyTaken(config, one)) ?? one),
  );
  const [verified, refused] = split<Readable>(verdicts);
  const [accepted, waiting] = split<AcceptedPayout>(await admitAfterScan(deps, verified));
  if (accepted.length > 0) state.accept(accepted, now());
  const reports = [...unreadable, ...refused, ...waiting];
  keepRefusals(state.documents, fresh, reports);
  for (const report of reports) log('payout_refused', { ...report });
  await service.report(reports);
}

export interface SigningOrder {
  readonly payout: StoredPayout;
  readonly rate: number;
}

/** Signs payouts with their coins, and writes the transactions down. */
export function sign({ state, wallet, now }: UtxoDeps, orders: readonly SigningOrder[]): void {
  state.addSigned(
    orders.map(({ payout, rate }) => {
      const document = JSON.parse(payout.document) as PayoutDocument;
      const { txid, psbt, raw, fee } = wallet.sign(document, state.listCoins(payout.id), rate);
      const signed_at = now();
      return { payout_id: payout.id, tx_hash: txid, psbt, raw, rate, fee: String(fee), signed_at };
    }),
  );
}

/** Signs what has coins and no transaction; where these are too few for the rate now, it waits. */
async function signAccepted(deps: UtxoDeps): Promise<void> {
  const unsigned = deps.state.listUnsigned();
  const rate = unsigned.length > 0 ? await readRate(deps) : undefined;
  if (rate === undefined) return;
  const orders = unsigned.map((payout) => ({ payout, rate }));
  sign(
    deps,
    orders.filter(({ payout: { id, document } }) => {
      const coins = deps.state.listCoins(id);
      const fee = deps.wallet.feeAt(JSON.parse(document) as PayoutDocument, coins, rate);
      if (fee === undefined) deps.log('transaction_over_coins', { payout_id: id });
      return fee !== undefined;
    }),
  );
}

const PUBLISHED_AT_ONCE = 200;

/**
 * Reports one by one, and gives up what operators have taken back.
 * @returns payouts that may be sent: those of a stopped currency wait
 */
async function reportEach(
  { state, service, log }: UtxoDeps,
  reports: readonly Report[],
): Promise<ReadonlySet<number>> {
  const going = new Set<number>();
  for (const report of reports) {
    const { payout_id } = report;
    try {
      await service.report([report]);
      going.add(payout_id);
    } catch (error) {
      if (isStopped(error)) log('payout_stopped', { payout_id });
      else if (isTakenBack(error)) {
        state.giveUp(payout_id);
        log('payout_taken_back', { payout_id });
      } else throw error;
    }
  }
  return going;
}

/** Those of the transactions that may be sent: the service gets a report of each before. */
async function report(
  deps: UtxoDeps,
  signed: readonly SignedTransaction[],
): Promise<readonly SignedTransaction[]> {
  const reports = signed.map(({ payout_id, tx_hash }): Report => {
    const [first] = deps.state.listCoins(payout_id);
    const coin = `${first?.txid}:${first?.vout}`;
    return { payout_id, outcome: 'sent', tx_hash, coin };
  });
  try {
    await deps.service.report(reports);
    return signed;
  } catch (error) {
    if (!isTakenBack(error) && !isStopped(error)) throw error;
    const going = await reportEach(deps, reports);
    return signed.filter(({ payout_id }) => going.has(payout_id));
  }
}

/**
 * Tells the service of each transaction before the chain gets it, so that the service knows all
 * that may pay a payout, whatever becomes of this state, and can still stop it. Repeating it is
 * harmless.
 */
export async function publish(deps: UtxoDeps): Promise<void> {
  const { state, node } = deps;
  for (;;) {
    const signed = state.listUnpublished(PUBLISHED_AT_ONCE);
    const going = await report(deps, signed);
    if (going.length === 0) return;
    await node.send(going.map(({ raw }) => raw));
    state.markPublished(going.map(({ tx_hash }) => tx_hash));
  }
}

/** Takes, signs and sends. */
export async function payOut(deps: UtxoDeps): Promise<void> {
  await publish(deps);
  await acceptPayouts(deps);
  await signAccepted(deps);
  await publish(deps);
}
