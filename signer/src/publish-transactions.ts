/** Signs transactions, tells the service of them, and gives them to the chain. */
import type { Fees } from './evm-wallet.ts';
import { isTakenBack, type Report } from './service-client.ts';
import type { SignerDeps } from './signer-deps.ts';
import type { SignedTransaction, StoredPayout } from './state.ts';
import type { PayoutDocument } from './verify-payout.ts';

/** Signs what has a nonce and no transaction, and writes it down. */
export async function signAccepted(deps: SignerDeps): Promise<void> {
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

/** Reports one by one, and gives up what operators have taken back. */
async function giveUpTakenBack({ state, service, log }: SignerDeps, reports: readonly Report[]) {
  for (const report of reports)
    try {
      await service.report([report]);
    } catch (error) {
      if (!isTakenBack(error)) throw error;
      state.giveUp(report.payout_id);
      log('payout_taken_back', { payout_id: report.payout_id });
    }
}

/** Gives transactions that the service knows to the chain. */
async function send({ state, wallet }: SignerDeps, signed: readonly SignedTransaction[]) {
  await wallet.send(signed.map(({ raw }) => raw));
  state.markPublished(signed.map(({ tx_hash }) => tx_hash));
}

/**
 * Tells the service of the next transactions, before the chain gets them: so the service knows all
 * that may pay a payout, whatever becomes of this state. Repeating it is harmless.
 * @returns those that the chain gets now; none: there are no more
 */
async function reportNext(deps: SignerDeps): Promise<readonly SignedTransaction[]> {
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
      return signed;
    } catch (error) {
      if (!isTakenBack(error)) throw error;
      await giveUpTakenBack(deps, reports);
      await signAccepted(deps);
    }
  }
}

/** Reports and sends all that was signed. */
export async function publish(deps: SignerDeps): Promise<void> {
  for (;;) {
    const signed = await reportNext(deps);
    if (signed.length === 0) return;
    await send(deps, signed);
  }
}

/** Reports and sends what was signed, and does the next work while the chain takes it. */
export async function publishDuring<T>(deps: SignerDeps, work: () => Promise<T>): Promise<T> {
  const signed = await reportNext(deps);
  const [sent, done] = await Promise.allSettled([send(deps, signed), work()]);
  if (sent.status === 'rejected') throw sent.reason;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}
