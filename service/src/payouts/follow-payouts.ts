/** Follows sent payouts with the service's own view of the chain. */
import type { Db } from '../db/index.ts';
import {
  type ChainNode,
  type EndpointPool,
  hasQuorum,
  listNetworks,
  type Network,
  probeChainNodes,
  queryBlockHashes,
} from '../deposits/index.ts';
import type { PayoutsDeps } from './context.ts';
import { type PayoutRow, SELECT_PAYOUTS } from './queries.ts';
import { type FoundPayment, failPayout, reopenPayout, settlePayout } from './settle-payout.ts';

const BATCH = 100;

interface View {
  readonly network: Network;
  readonly node: ChainNode;
  readonly pool: EndpointPool;
  readonly height: number;
  readonly finalizedHeight: number | undefined;
}

/** The transaction of a payout that a block contains; replacements exclude each other. */
export async function findPayment(
  db: Db,
  node: ChainNode,
  { id, address }: PayoutRow,
): Promise<FoundPayment | undefined> {
  const { rows } = await db.query<{ tx_hash: string }>(
    'select tx_hash from payout_transaction where payout_id = $1 order by sent_at desc',
    [id],
  );
  for (const { tx_hash: txHash } of rows) {
    const payment = await node.readPayment(txHash, address);
    if (payment) return { ...payment, txHash };
  }
  return undefined;
}

/** True when the transaction pays exactly what the document says. */
function isRight({ document }: PayoutRow, { transfers }: FoundPayment): boolean {
  const { amount, contract } = JSON.parse(document) as { amount: string; contract: string | null };
  const paid = transfers
    .filter((transfer) => (transfer.contract?.toLowerCase() ?? null) === contract)
    .reduce((sum, transfer) => sum + transfer.amount, 0n);
  return String(paid) === amount;
}

function isDeep({ network, height, finalizedHeight }: View, payment: FoundPayment): boolean {
  const isFinal = finalizedHeight === undefined || payment.height <= finalizedHeight;
  return isFinal && height - payment.height + 1 >= network.requiredConfirmations;
}

/** No other endpoint denies the block, and one that answers has it. */
async function isAgreed({ pool, node }: View, payment: FoundPayment): Promise<boolean> {
  const block = { height: payment.height, hash: payment.blockHash };
  const [votes = []] = await queryBlockHashes(pool.listWitnesses(node), [block]);
  return hasQuorum(votes);
}

async function note(db: Db, id: number, payment: FoundPayment | undefined): Promise<void> {
  const reason = payment ? 'in_block' : 'in_pool';
  await db.query(
    `update payout set block_number = $2, block_hash = $3, tx_hash = coalesce($4, tx_hash),
       reason_code = case when reason_code = 'nonce_used' then reason_code else $5 end
     where id = $1 and status = 'sent'
       and ($2::bigint is not null or reason_code <> 'reorganised')`,
    [id, payment?.height ?? null, payment?.blockHash ?? null, payment?.txHash ?? null, reason],
  );
}

async function follow(deps: PayoutsDeps, view: View, payout: PayoutRow): Promise<void> {
  const { database, clock } = deps;
  const { id } = payout;
  const payment = await findPayment(database, view.node, payout);
  await database.query('update payout set followed_at = $2 where id = $1', [id, clock.now()]);
  if (!payment) {
    if (payout.reason_code === 'nonce_used') return failPayout(deps, id);
    return note(database, id, undefined);
  }
  if (payment.isSuccess && !isRight(payout, payment)) {
    await database.query(
      `update payout set reason_code = 'transaction_mismatch' where id = $1 and status = 'sent'`,
      [id],
    );
    return;
  }
  await note(database, id, payment);
  if (isDeep(view, payment) && (await isAgreed(view, payment)))
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
     limit ${BATCH}`,
    [network],
  );
  return rows.map(({ id }) => id);
}

async function openView(deps: PayoutsDeps, network: Network): Promise<View> {
  const pool = await probeChainNodes(deps.masterKey, network);
  const { node, head } = pool.pick();
  const { height, finalizedHeight } = head;
  return {
    network,
    node,
    pool,
    height,
    finalizedHeight: network.usesFinalized ? (finalizedHeight ?? 0) : undefined,
  };
}

async function followNetwork(deps: PayoutsDeps, network: Network): Promise<void> {
  const { database, clock } = deps;
  const { code } = network;
  for (const id of await listReplaced(database, code)) await reopenPayout(deps, id);
  const { rows } = await database.query<PayoutRow>(
    `${SELECT_PAYOUTS} where payout.status = 'sent' and payout.network = $1 and followed_at <= $2
     order by followed_at limit ${BATCH}`,
    [code, clock.now()],
  );
  if (rows.length === 0) return;
  const view = await openView(deps, network);
  for (const payout of rows) await follow(deps, view, payout);
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
