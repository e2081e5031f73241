/** Compares the hot wallets on their chains with the clearing account of the ledger. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/index.ts';
import {
  type ChainNode,
  listTokens,
  type Network,
  parseAddress,
  probeChainNodes,
  requireNetwork,
} from '../deposits/index.ts';
import { findCurrency, readHouseBalances } from '../ledger/index.ts';
import { formatAmount } from '../lib/money.ts';
import type { MasterKey } from '../master-key.ts';
import { findPayment, paysDocument } from './find-payment.ts';
import { type PayoutRow, SELECT_PAYOUTS } from './queries.ts';

/** Fine enough for every token: amounts of several networks are summed in it. */
const DECIMALS = 36;
const TRIES = 10;
const CLEARING = 'withdrawal_clearing';

export interface HotWallet {
  readonly network: Network;
  readonly address: string;
}

interface WalletsReport {
  readonly wallets: number;
  readonly currencies: number;
  readonly problems: readonly string[];
}

/** `NETWORK=ADDRESS, …`. @throws Error that names the part that is wrong */
export async function readHotWallets(db: Db, setting: string): Promise<HotWallet[]> {
  const parts = setting.split(',').map((part) => part.trim());
  return Promise.all(
    parts
      .filter((part) => part !== '')
      .map(async (part) => {
        const [code = '', given = ''] = part.split('=', 2);
        const network = await requireNetwork(db, code, 'PAYOUT_WALLETS').catch(() => undefined);
        if (!network) throw new Error(`PAYOUT_WALLETS names the network "${code}", not known here`);
        const address = await parseAddress(network, given);
        if (address === undefined)
          throw new Error(`PAYOUT_WALLETS: "${given}" is no address of ${code}`);
        return { network, address };
      }),
  );
}

const toUnits = (amount: bigint, decimals: number): bigint =>
  amount * 10n ** BigInt(DECIMALS - decimals);

type Sums = Map<string, bigint>;
const add = (sums: Sums, currency: string, amount: bigint): void =>
  void sums.set(currency, (sums.get(currency) ?? 0n) + amount);

/**
 * What the ledger does not know yet of payouts under way: paid and not settled, or settled and
 * taken back by a reorganisation. Added to what the wallet holds, it gives what the ledger says.
 */
async function addUnderWay(
  db: Db,
  sums: Sums,
  { network, node }: { readonly network: Network; readonly node: ChainNode },
): Promise<void> {
  const { rows } = await db.query<PayoutRow>(
    `${SELECT_PAYOUTS} where payout.status = 'sent' and payout.network = $1 order by payout.id`,
    [network.code],
  );
  const coin = (await listTokens(db, network.code)).find(({ contract }) => contract === undefined);
  for (const payout of rows) {
    const { amount, fee, scale, currency, is_settled } = payout;
    const payment = await findPayment(db, node, payout);
    const isPaid = payment?.isSuccess === true;
    const net = toUnits(BigInt(amount) - BigInt(fee), scale);
    if (isPaid && !is_settled) add(sums, currency, net);
    if (!isPaid && is_settled) add(sums, currency, -net);
    if (payment && coin) add(sums, coin.currency, toUnits(payment.fee, coin.decimals));
  }
}

/** Payouts that were refunded, and that the chain pays nevertheless. */
async function listPaidFailures(
  db: Db,
  { network, node }: { readonly network: Network; readonly node: ChainNode },
): Promise<string[]> {
  const { rows } = await db.query<PayoutRow>(
    `${SELECT_PAYOUTS} where watched_until is not null and payout.network = $1 order by payout.id`,
    [network.code],
  );
  const problems: string[] = [];
  for (const payout of rows) {
    const payment = await findPayment(db, node, payout);
    if (!payment?.isSuccess || !paysDocument(payout, payment)) continue;
    const { txHash, height } = payment;
    problems.push(`payout ${payout.id} was refunded, and ${txHash} pays it in block ${height}`);
  }
  return problems;
}

/** Payouts whose transaction does not pay what the document says, until an operator decides. */
async function listMismatches(db: Db, network: Network): Promise<string[]> {
  const { rows } = await db.query<PayoutRow>(
    `${SELECT_PAYOUTS} where payout.status = 'sent' and payout.network = $1
       and reason_code = 'transaction_mismatch' and mismatch_outcome is null order by payout.id`,
    [network.code],
  );
  return rows.map(
    ({ id, tx_hash }) => `payout ${id} waits for an operator: ${tx_hash} pays something else`,
  );
}

/** Networks that payouts went out on, and whose wallet is not named: nothing compares them. */
async function listForgotten(db: Db, wallets: readonly HotWallet[]): Promise<string[]> {
  const { rows } = await db.query<{ network: string }>(
    `select distinct network from payout
     where status in ('sent', 'confirmed') and network <> all($1::text[]) order by network`,
    [wallets.map(({ network }) => network.code)],
  );
  return rows.map(({ network }) => `no hot wallet of ${network} is named, and it has paid`);
}

interface NetworkWallets {
  readonly network: Network;
  readonly addresses: ReadonlySet<string>;
}

/** The wallets of each network, each once. */
function groupByNetwork(wallets: readonly HotWallet[]): NetworkWallets[] {
  const networks = new Map<string, { network: Network; addresses: Set<string> }>();
  for (const { network, address } of wallets) {
    const { addresses } = networks.get(network.code) ?? { addresses: new Set() };
    networks.set(network.code, { network, addresses: addresses.add(address) });
  }
  return [...networks.values()];
}

/** The wallets of a network at one height: read again when a block comes meanwhile. */
async function readWallets(
  db: Db,
  node: ChainNode,
  { network, addresses }: NetworkWallets,
): Promise<Sums> {
  const tokens = await listTokens(db, network.code);
  const holdings = [...addresses].flatMap((address) =>
    tokens.map((token) => ({ address, contract: token.contract, token })),
  );
  for (let tries = 0; tries < TRIES; tries++) {
    const sums: Sums = new Map();
    const { height } = await node.readHead();
    const balances = await node.readBalances(holdings);
    for (const [at, { token }] of holdings.entries())
      add(sums, token.currency, toUnits(balances[at] ?? 0n, token.decimals));
    await addUnderWay(db, sums, { network, node });
    if ((await node.readHead()).height === height) return sums;
  }
  throw new Error(`${network.code} moves on faster than its wallets are read`);
}

/** What the ledger says of the hot wallets, negative, by currency. */
async function readClearing(db: Db): Promise<Map<string, bigint>> {
  const ofClearing = (await readHouseBalances(db)).filter(({ account }) => account === CLEARING);
  return new Map(ofClearing.map(({ currency, balance }) => [currency, balance]));
}

async function compare(db: Db, currency: string, held: bigint): Promise<string[]> {
  const scale = (await findCurrency(db, currency))?.scale ?? 0;
  const booked = toUnits(-((await readClearing(db)).get(currency) ?? 0n), scale);
  if (held === booked) return [];
  const text = (amount: bigint): string => `${formatAmount(amount, DECIMALS)} ${currency}`;
  return [`the hot wallets hold ${text(held)}, the ledger says ${text(booked)}`];
}

async function verifyOnce(
  db: Db,
  masterKey: MasterKey,
  wallets: readonly HotWallet[],
): Promise<WalletsReport> {
  const sums: Sums = new Map();
  const problems = await listForgotten(db, wallets);
  for (const group of groupByNetwork(wallets)) {
    const { node } = (await probeChainNodes(masterKey, group.network)).pick();
    for (const [currency, amount] of await readWallets(db, node, group))
      add(sums, currency, amount);
    problems.push(...(await listPaidFailures(db, { ...group, node })));
    problems.push(...(await listMismatches(db, group.network)));
  }
  for (const [currency, held] of sums) problems.push(...(await compare(db, currency, held)));
  return { wallets: wallets.length, currencies: sums.size, problems };
}

/**
 * Compares what the hot wallets hold with what the ledger says that they hold: the negative
 * balance of `withdrawal_clearing`. What differs is read again when the ledger has moved meanwhile:
 * a payout may have been settled between the two readings.
 * @throws Error without an answer of a chain
 */
export async function verifyWallets(
  db: Db,
  masterKey: MasterKey,
  wallets: readonly HotWallet[],
): Promise<WalletsReport> {
  for (let tries = 1; ; tries++) {
    const before = await readClearing(db);
    const report = await verifyOnce(db, masterKey, wallets);
    const isStill = isDeepStrictEqual(before, await readClearing(db));
    if (report.problems.length === 0 || isStill || tries === TRIES) return report;
  }
}
