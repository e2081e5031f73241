/** Writes what was found in blocks as deposits: new ones, and those that come back after a reorganisation. */
import type { Db, Transaction } from '../db/index.ts';
import { listCurrencies } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { AddressSieve } from './address-prefilter.ts';
import type { FetchedBlock, Transfer } from './chains/chain.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { classifyDeposit, type Decision, type Payment, type Verdict } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import { listTokens, type Network } from './networks.ts';
import type { DepositStatus } from './schemas.ts';

interface WatchedAddress {
  readonly id: number;
  readonly user_id: number;
  readonly address_key: string;
}

/** A payment to one of our addresses, and the block that holds it. */
export interface FoundTransfer extends Transfer {
  readonly addressId: number;
  readonly userId: number;
  readonly height: number;
  readonly blockHash: string;
}

const EVENTS_AT_ONCE = 1000;
const BLOCKS_AT_ONCE = 8;

/** Reads from the chain what these blocks brought to our addresses. Matched by table: no gap limit hides anything. */
export async function findTransfers(
  db: Db,
  network: Network,
  sieve: AddressSieve,
  blocks: readonly FetchedBlock[],
): Promise<FoundTransfer[]> {
  // After the blocks were read: an address that was issued before its payment is known by now.
  await sieve.refresh();
  const recipients = [
    ...new Set(blocks.flatMap((block) => block.recipients.filter((key) => sieve.mightBeOurs(key)))),
  ];
  if (recipients.length === 0) return [];
  const { rows } = await db.prepared<WatchedAddress>(
    'deposits_watched',
    'select id, user_id, address_key from deposit_address where family = $1 and address_key = any($2::text[])',
    [network.family, recipients],
  );
  if (rows.length === 0) return [];
  const byKey = new Map(rows.map((row) => [row.address_key, row]));
  const watched = new Set(byKey.keys());
  const concerned = blocks.filter(({ recipients: keys }) => keys.some((key) => watched.has(key)));
  const found: FoundTransfer[] = [];
  for (let at = 0; at < concerned.length; at += BLOCKS_AT_ONCE) {
    const some = concerned.slice(at, at + BLOCKS_AT_ONCE);
    for (const [i, transfers] of (
      await Promise.all(some.map((block) => block.readTransfers(watched)))
    ).entries()) {
      const block = some[i];
      for (const transfer of transfers) {
        const address = byKey.get(transfer.to);
        if (block && address)
          found.push({
            ...transfer,
            addressId: address.id,
            userId: address.user_id,
            height: block.height,
            blockHash: block.hash,
          });
      }
    }
  }
  return found;
}

interface KnownRow {
  id: number;
  tx_hash: string;
  ordinal: number;
  block_hash: string;
  status: DepositStatus;
  decision: Decision | null;
  decision_reason: string | null;
}

const KNOWN = `select id, tx_hash, ordinal, block_hash, status, decision, decision_reason from deposit
  where network = $1 and (tx_hash, ordinal) in (select * from unnest($2::text[], $3::int[])) for update`;

const INSERT = `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, contract, currency, from_address, raw_amount, decimals,
    amount, block_number, block_hash, required_confirmations, status, reason, detected_at)
  select $1, tx_hash, ordinal, user_id, address_id, token_id, contract, currency, from_address, raw_amount, decimals,
    amount, block_number, block_hash, required_confirmations, status, reason, $2
  from unnest($3::text[], $4::int[], $5::bigint[], $6::bigint[], $7::int[], $8::text[], $9::text[], $10::text[], $11::numeric[], $12::int[],
    $13::numeric[], $14::bigint[], $15::text[], $16::int[], $17::text[], $18::text[]) with ordinality
    as item (tx_hash, ordinal, user_id, address_id, token_id, contract, currency, from_address, raw_amount, decimals,
      amount, block_number, block_hash, required_confirmations, status, reason, n) order by n
  returning id`;

/** A payment that comes back may differ in everything but its name: the chain is asked anew. */
const INCLUDE_AGAIN = `update deposit set user_id = $2, address_id = $3, token_id = $4, contract = $5, currency = $6, from_address = $7, raw_amount = $8,
    decimals = $9, amount = $10, block_number = $11, block_hash = $12, required_confirmations = $13, status = $14, reason = $15 where id = $1`;

interface Judged {
  readonly transfer: FoundTransfer;
  readonly tokenId: number | null;
  readonly verdict: Verdict;
}

/** Judges payments by the tokens as they are configured in this transaction. */
async function createJudge(
  tx: Transaction,
  network: Network,
): Promise<(transfer: FoundTransfer, known?: KnownRow) => Judged> {
  const tokens = new Map(
    (await listTokens(tx, network.code)).map((token) => [token.contract, token]),
  );
  const currencies = new Map(
    (await listCurrencies(tx)).map((currency) => [currency.code, currency]),
  );
  return (transfer, known) => {
    const token = tokens.get(transfer.contract?.toLowerCase());
    const payment: Payment = {
      network: network.code,
      contract: transfer.contract,
      rawAmount: transfer.amount,
      decision: known?.decision ?? undefined,
      decisionReason: known?.decision_reason ?? undefined,
    };
    const verdict = classifyDeposit(payment, token, token && currencies.get(token.currency));
    return { transfer, tokenId: token?.id ?? null, verdict };
  };
}

async function insertNew(
  tx: Transaction,
  clock: Clock,
  network: Network,
  items: readonly Judged[],
): Promise<number[]> {
  if (items.length === 0) return [];
  const column = <T>(read: (item: Judged) => T): T[] => items.map(read);
  const { rows } = await tx.query<{ id: number }>(INSERT, [
    network.code,
    clock.now(),
    column(({ transfer }) => transfer.txHash),
    column(({ transfer }) => transfer.ordinal),
    column(({ transfer }) => transfer.userId),
    column(({ transfer }) => transfer.addressId),
    column(({ tokenId }) => tokenId),
    column(({ transfer }) => transfer.contract ?? null),
    column(({ verdict }) => verdict.currency),
    column(({ transfer }) => transfer.from ?? null),
    column(({ transfer }) => transfer.amount.toString()),
    column(({ verdict }) => verdict.decimals),
    column(({ verdict }) => verdict.amount.toString()),
    column(({ transfer }) => transfer.height),
    column(({ transfer }) => transfer.blockHash),
    column(({ transfer }) => Math.max(network.requiredConfirmations, transfer.confirmationsMin)),
    column(({ verdict }) => verdict.status),
    column(({ verdict }) => verdict.reason ?? null),
  ]);
  return rows.map((row) => row.id);
}

async function includeAgain(
  tx: Transaction,
  network: Network,
  id: number,
  { transfer, tokenId, verdict }: Judged,
): Promise<void> {
  await tx.query(INCLUDE_AGAIN, [
    id,
    transfer.userId,
    transfer.addressId,
    tokenId,
    transfer.contract ?? null,
    verdict.currency,
    transfer.from ?? null,
    transfer.amount.toString(),
    verdict.decimals,
    verdict.amount.toString(),
    transfer.height,
    transfer.blockHash,
    Math.max(network.requiredConfirmations, transfer.confirmationsMin),
    verdict.status,
    verdict.reason ?? null,
  ]);
}

const nameOf = (txHash: string, ordinal: number): string => `${txHash}/${ordinal}`;

/**
 * Stores what was found; run it under the lock of the chain's state. What is stored already stays as it is.
 * @returns how many deposits are new or came back
 * @throws RpcError when the same payment stands in two blocks of one chain
 */
export async function storeTransfers(
  tx: Transaction,
  clock: Clock,
  network: Network,
  found: readonly FoundTransfer[],
): Promise<number> {
  if (found.length === 0) return 0;
  const { rows } = await tx.query<KnownRow>(KNOWN, [
    network.code,
    found.map(({ txHash }) => txHash),
    found.map(({ ordinal }) => ordinal),
  ]);
  const known = new Map(rows.map((row) => [nameOf(row.tx_hash, row.ordinal), row]));
  const judge = await createJudge(tx, network);
  const fresh: Judged[] = [];
  const changed: number[] = [];
  for (const transfer of found) {
    const row = known.get(nameOf(transfer.txHash, transfer.ordinal));
    if (!row) fresh.push(judge(transfer));
    else if (row.status === 'orphaned' || row.status === 'reversed') {
      await includeAgain(tx, network, row.id, judge(transfer, row));
      changed.push(row.id);
    } else if (row.block_hash !== transfer.blockHash) {
      throw new RpcError(
        'contradiction',
        NODE_ERRORS.say('transaction_in_two_blocks', { transaction: transfer.txHash }),
      );
    }
  }
  changed.push(...(await insertNew(tx, clock, network, fresh)));
  for (let at = 0; at < changed.length; at += EVENTS_AT_ONCE)
    await recordDepositEvents(tx, clock, changed.slice(at, at + EVENTS_AT_ONCE));
  return changed.length;
}
