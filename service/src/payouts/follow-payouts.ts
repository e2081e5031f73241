/** Follows payouts of the signer with the service's own view of the chain. */
import { type Db, queryNamed } from '../db/index.ts';
import { listNetworks, type Network } from '../deposits/index.ts';
import { isAgreedPayment } from './agree-payment.ts';
import { type ChainView, deepHeight, finalHeight, openChainView } from './chain-view.ts';
import type { PayoutsDeps } from './context.ts';
import { type FoundPayment, findPayment, paysDocument } from './find-payment.ts';
import { followMismatch } from './follow-mismatch.ts';
import { PayoutNotPosted } from './payout-not-posted.ts';
import { followUnpaid } from './prove-unpaid.ts';
import { type PayoutRow, SELECT_PAYOUTS } from './queries.ts';
import { reopenPayout, settlePayout } from './settle-payout.ts';
import { listWatched, watchFailed } from './watch-failed.ts';

const PAYOUTS_MAX = 100;

/** Failures wait for longer than confirmations: money that was given back may be spent. */
function isDeep(view: ChainView, { isSuccess, height }: FoundPayment): boolean {
  return height <= (isSuccess ? deepHeight(view) : Math.min(deepHeight(view), finalHeight(view)));
}

async function noteInBlock(db: Db, id: number, payment: FoundPayment): Promise<void> {
  const { height, blockHash, txHash, isSuccess } = payment;
  await queryNamed(
    db,
    `update payout set block_number = :height, block_hash = :block_hash, tx_hash = :tx_hash,
       reason_code = case when reason_code = 'paid_after_refund' then reason_code else :reason end
     where id = :id and status = 'sent'`,
    {
      ...{ id, height, block_hash: blockHash, tx_hash: txHash },
      reason: isSuccess ? 'in_block' : 'reverted_in_block',
    },
  );
}

/** Its block was replaced, and no block contains it now. */
async function noteInPool(db: Db, id: number): Promise<void> {
  await db.query(
    `update payout set block_number = null, block_hash = null,
       reason_code = case when reason_code = 'paid_after_refund' then reason_code else 'in_pool' end
     where id = $1 and status = 'sent' and block_number is not null
       and reason_code <> 'nonce_used_in_block'`,
    [id],
  );
}

async function follow(deps: PayoutsDeps, view: ChainView, payout: PayoutRow): Promise<void> {
  const { database, clock } = deps;
  const { id } = payout;
  const payment = await findPayment(database, view.node, payout);
  const now = clock.now();
  await queryNamed(database, 'update payout set followed_at = :now where id = :id', { now, id });
  if (!payment) {
    await noteInPool(database, id);
    return followUnpaid(deps, view, payout);
  }
  if (payment.isSuccess && !paysDocument(payout, payment))
    return followMismatch(deps, view, payout, payment);
  await noteInBlock(database, id, payment);
  if (isDeep(view, payment) && (await isAgreedPayment(view, payout.address, payment)))
    await settlePayout(deps, id, payment);
}

/**
 * Confirmed payouts whose block is no longer the canonical one. The watcher of the network keeps
 * the canonical blocks within the reorganisation window.
 */
async function listReplaced(db: Db, network: string): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select id from payout join chain_block
       on chain_block.network = payout.network and height = block_number
     where payout.network = $1 and status = 'confirmed' and hash <> block_hash
       and block_number >= (select min(height) from chain_block where chain_block.network = $1)
     order by id
     limit ${PAYOUTS_MAX}`,
    [network],
  );
  return rows.map(({ id }) => id);
}

async function listSent(db: Db, { clock }: PayoutsDeps, network: string): Promise<PayoutRow[]> {
  const { rows } = await queryNamed<PayoutRow>(
    db,
    `${SELECT_PAYOUTS} where payout.status = 'sent' and payout.network = :network
       and followed_at <= :now
     order by followed_at limit ${PAYOUTS_MAX}`,
    { network, now: clock.now() },
  );
  return rows;
}

/**
 * A payout that is not posted does not hold up the others; an endpoint that fails does, as it would
 * be waited for at each of them.
 */
async function apart(failures: PayoutNotPosted[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PayoutNotPosted)) throw error;
    failures.push(error);
  }
}

/** The job fails, and so the alert on failing jobs names them, once all others were followed. */
function report(failures: readonly PayoutNotPosted[]): void {
  if (failures.length === 0) return;
  throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

async function followNetwork(deps: PayoutsDeps, network: Network): Promise<void> {
  const { database: db, masterKey } = deps;
  const { code } = network;
  const failures: PayoutNotPosted[] = [];
  for (const id of await listReplaced(db, code)) await apart(failures, reopenPayout(deps, id));
  const sent = await listSent(db, deps, code);
  const failed = await listWatched(db, deps, code);
  if (sent.length + failed.length === 0) return report(failures);
  const view = await openChainView(masterKey, network);
  for (const payout of sent) await apart(failures, follow(deps, view, payout));
  for (const payout of failed) await apart(failures, watchFailed(deps, view, payout));
  report(failures);
}

/** One run of the job. A network whose endpoints fail does not hold up the others. */
export async function followPayouts(deps: PayoutsDeps): Promise<void> {
  const networks = (await listNetworks(deps.database)).filter(
    ({ rpcUrlsSealed }) => rpcUrlsSealed !== undefined,
  );
  const results = await Promise.allSettled(networks.map((network) => followNetwork(deps, network)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
