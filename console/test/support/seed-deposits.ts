/**
 * Deposits in several statuses on a local network, some of them waiting for an operator. No node
 * runs there: the network is watched, and comes alive with `anvil`, whose address it has.
 */
import { createHash } from 'node:crypto';
import { transaction } from '../../../service/src/db/index.ts';
import { moveCursor } from '../../../service/src/deposits/chain-state.ts';
import { creditDeposits } from '../../../service/src/deposits/credit-deposits.ts';
import type { FoundTransfer } from '../../../service/src/deposits/find-transfers.ts';
import {
  configureNetwork,
  configureToken,
  findNetwork,
  issueAddress,
  type Network,
  reviewDeposit,
} from '../../../service/src/deposits/index.ts';
import { storeTransfers } from '../../../service/src/deposits/store-transfers.ts';
import { listCurrencies } from '../../../service/src/ledger/index.ts';
import { DEMO_NETWORK, makeAccountKey } from '../../../service/test/support/chains/demo-chain.ts';
import type { SeededAccount } from './seed-account.ts';
import type { SeededEvent, SeedStage } from './seed-history.ts';
import { HOUR_MS } from './seed-usage.ts';

/** Where `anvil` listens, its chain, and the first contract that its first account deploys. */
const RPC_URL = 'http://127.0.0.1:8545';
const CHAIN_ID = 31337;
const USDT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const UNIT = 1_000_000n;
const CONFIRMATIONS = 12;
const POLL_MS = 60_000;
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;

async function openNetwork({ database, clock, masterKey }: SeedStage): Promise<Network> {
  const identity = { kind: 'evm', chainId: CHAIN_ID, name: 'Local demo chain' } as const;
  await configureNetwork(database, { clock, masterKey }, DEMO_NETWORK, {
    ...{ identity, rpcUrls: [RPC_URL], xpub: makeAccountKey(), poll_ms: POLL_MS },
    ...{ requiredConfirmations: CONFIRMATIONS, usesFinalized: false },
  });
  const network = await findNetwork(database, DEMO_NETWORK);
  const usdt = (await listCurrencies(database)).find(({ code }) => code === 'USDT');
  if (!network || !usdt) throw new Error('the network was not opened');
  const settings = { contract: USDT, decimals: 6, minDeposit: UNIT, isEnabled: true };
  await configureToken(database, { network, clock }, usdt, settings);
  return network;
}

interface Payment {
  readonly userId: number;
  /** Millionths of USDT. */
  readonly amount: bigint;
  readonly hoursAgo: number;
}

/** @returns the id of the deposit */
async function receive(
  { database, clock }: SeedStage,
  network: Network,
  { userId, amount, hoursAgo }: Payment,
): Promise<number> {
  const { address: to } = await issueAddress(database, clock, userId, network);
  const { rows: addresses } = await database.query<{ id: number }>(
    'select id from deposit_address where address = $1',
    [to],
  );
  const txHash = hashOf(`deposit ${userId} ${amount}`);
  // Blocks of the past: the chain that comes alive begins above them, or at another place.
  const height = 1000 - hoursAgo;
  const transfer: FoundTransfer = {
    ...{ txHash, ordinal: 0, to: to.toLowerCase(), from: SENDER, contract: USDT, amount },
    ...{ confirmationsMin: 0, addressId: addresses[0]?.id ?? 0, userId },
    ...{ height, blockHash: hashOf(`block ${height}`) },
  };
  await transaction(database, (tx) => storeTransfers(tx, { network, clock }, [transfer]));
  const { rows } = await database.query<{ id: number }>(
    'select id from deposit where tx_hash = $1',
    [txHash],
  );
  return rows[0]?.id ?? 0;
}

/** Credits what is confirmed, as the watcher does when it has read enough blocks. */
async function credit({ database, clock }: SeedStage, network: Network): Promise<void> {
  clock.advance(CONFIRMATIONS * 12_000);
  const cursor = { height: 2000, hash: hashOf('cursor') };
  await transaction(database, (tx) => moveCursor(tx, network.code, cursor));
  const { rows } = await database.query<{ hash: string }>(
    'select block_hash as hash from deposit where network = $1',
    [network.code],
  );
  const hashes = rows.map(({ hash }) => hash);
  await creditDeposits(
    database,
    { network, clock },
    { cursor, finalizedHeight: undefined },
    hashes,
  );
  await database.query(
    'update chain_state set cursor_height = null, cursor_hash = null where network = $1',
    [network.code],
  );
}

const HELD_BECAUSE = 'Large for this account';

/** Two that are credited, one that is too small, and two that are on hold. */
export async function seedDeposits(
  stage: SeedStage,
  { account: { userId }, friends }: SeededAccount,
): Promise<readonly SeededEvent[]> {
  const { database, clock } = stage;
  const network = await openNetwork(stage);
  const hold = async (id: number): Promise<void> => {
    await reviewDeposit(database, clock, id, { decision: 'hold', reason: HELD_BECAUSE });
  };
  const passed = () => credit(stage, network);
  const payments = [
    { userId, amount: 900n * UNIT, hoursAgo: 240, next: passed },
    { userId, amount: 125n * UNIT, hoursAgo: 120, next: passed },
    { userId, amount: UNIT / 4n, hoursAgo: 72, next: passed },
    { userId, amount: 250n * UNIT, hoursAgo: 20, next: hold },
    { userId: friends[0]?.userId ?? 0, amount: 1_200n * UNIT, hoursAgo: 9, next: hold },
  ];
  const now_ms = Date.now();
  return payments.map(({ next, ...payment }) => ({
    at_ms: now_ms - payment.hoursAgo * HOUR_MS,
    async run() {
      await next(await receive(stage, network, payment));
    },
  }));
}
