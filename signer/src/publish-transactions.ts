/** Signs transactions, tells the service of them, and gives them to the chain. */
import type { Fees } from './evm-wallet.ts';
import { DAY_MS, GasAllowance } from './limits.ts';
import { isStopped, isTakenBack, type Report } from './service-client.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { SignedTransaction, StoredPayout } from './state.ts';
import type { PayoutDocument } from './verify-payout.ts';

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Signs what has a nonce and no transaction, and writes it down. Fees may have risen since it was
 * accepted: without room in the budget for gas it is signed at those of then, and replaced later.
 */
export async function signAccepted(deps: SignerDeps): Promise<void> {
  const { config, state, now } = deps;
  const unsigned = state.listUnsigned();
  if (unsigned.length === 0) return;
  const fees = await deps.wallet.readFees();
  if (!fees) return;
  const gas = new GasAllowance(config, state.listSpentSince(now() - DAY_MS));
  const orders = unsigned.map((payout) => {
    const accepted = BigInt(payout.gas_cost) / BigInt(payout.gas);
    const isInBudget =
      fees.maxFee <= accepted || gas.raise(payout.id, BigInt(payout.gas) * fees.maxFee);
    const maxFee = isInBudget ? fees.maxFee : accepted;
    return { payout, fees: { maxFee, priorityFee: min(fees.priorityFee, maxFee) } };
  });
  await sign(deps, orders);
}

export async function sign(
  { state, wallet, now }: SignerDeps,
  orders: readonly { readonly payout: StoredPayout; readonly fees: Fees }[],
): Promise<void> {
  const signed = await Promise.all(
    orders.map(async ({ payout, fees }) => {
      const document = payout.is_void ? undefined : (JSON.parse(payout.document) as PayoutDocument);
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

type Unpublished = SignedTransaction & StoredPayout;

interface Reported {
  /** Payouts that may be sent. */
  readonly going: ReadonlySet<number>;
  /** The first payout that may not be sent now: its currency is stopped. */
  readonly stopped?: number;
}

/** Reports one by one until one may not be sent, and gives up what operators have taken back. */
async function reportEach(
  { state, service, log }: SignerDeps,
  reports: readonly Report[],
): Promise<Reported> {
  const going = new Set<number>();
  for (const report of reports) {
    const { payout_id } = report;
    try {
      await service.report([report]);
      going.add(payout_id);
    } catch (error) {
      if (isStopped(error)) {
        log('payout_stopped', { payout_id });
        return { going, stopped: payout_id };
      }
      if (!isTakenBack(error)) throw error;
      state.giveUp(payout_id);
      log('payout_taken_back', { payout_id });
    }
  }
  return { going };
}

/** Gives transactions that the service knows to the chain. */
async function send({ state, wallet, log }: SignerDeps, signed: readonly Unpublished[]) {
  await wallet.send(signed.map(({ raw }) => raw));
  // Operators book its network fee: no payout has it.
  for (const { is_void, payout_id, tx_hash } of signed)
    if (is_void) log('void_sent', { payout_id, tx_hash });
  state.markPublished(signed.map(({ tx_hash }) => tx_hash));
}

/** What the chain gets now, and whether a stopped currency holds up the rest. */
interface Next {
  readonly signed: readonly Unpublished[];
  readonly isHeldUp: boolean;
}

/**
 * Tells the service of the next transactions, before the chain gets them: so the service knows all
 * that may pay a payout, whatever becomes of this state, and can still stop them. Repeating it is
 * harmless. The chain takes nonces in their order: what comes after a stopped payout waits with it.
 */
async function reportNext(deps: SignerDeps): Promise<Next> {
  const { state, service, wallet } = deps;
  const sender = wallet.address;
  for (;;) {
    const signed = state.listUnpublished(PUBLISHED_AT_ONCE);
    const reports = signed
      .filter(({ is_void }) => !is_void)
      .map(({ payout_id, tx_hash, nonce }): Report => {
        return { payout_id, outcome: 'sent', tx_hash, sender, nonce };
      });
    try {
      await service.report(reports);
      return { signed, isHeldUp: false };
    } catch (error) {
      if (!isTakenBack(error) && !isStopped(error)) throw error;
      const { going, stopped } = await reportEach(deps, reports);
      await signAccepted(deps);
      if (stopped === undefined) continue;
      const before = signed.slice(
        0,
        signed.findIndex(({ payout_id }) => payout_id === stopped),
      );
      const isGoing = ({ is_void, payout_id }: Unpublished) => is_void || going.has(payout_id);
      return { signed: before.filter(isGoing), isHeldUp: true };
    }
  }
}

/**
 * Reports and sends all that was signed.
 * @returns false while a stopped currency holds it up: nothing new is accepted then
 */
export async function publish(deps: SignerDeps): Promise<boolean> {
  for (;;) {
    const { signed, isHeldUp } = await reportNext(deps);
    if (signed.length > 0) await send(deps, signed);
    if (isHeldUp) return false;
    if (signed.length === 0) return true;
  }
}

/** Reports and sends what was signed, and does the next work while the chain takes it. */
export async function publishDuring<T>(
  deps: SignerDeps,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const { signed, isHeldUp } = await reportNext(deps);
  if (isHeldUp) {
    await send(deps, signed);
    return undefined;
  }
  const [sent, done] = await Promise.allSettled([send(deps, signed), work()]);
  if (sent.status === 'rejected') throw sent.reason;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
