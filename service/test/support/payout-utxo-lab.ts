/** A real UTXO chain, the service over HTTP, operators with passkeys, and signers with one key. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect } from 'vitest';
import type { PrivateKey } from '../../../signer/src/key-file.ts';
import type { Signer, SignerOptions } from '../../../signer/src/open-signer.ts';
import { parseUtxoConfig, type UtxoConfig } from '../../../signer/src/utxo/config.ts';
import { openUtxoSigner } from '../../../signer/src/utxo/open.ts';
import type { UtxoDeps } from '../../../signer/src/utxo/signer.ts';
import { UtxoWallet } from '../../../signer/src/utxo/wallet.ts';
import { ensureCurrency, postTransfers, verifyLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import {
  type BookedFee,
  bookNetworkFee,
  readHotWallets,
  verifyDecisions,
  verifyWallets,
} from '../../src/payouts/index.ts';
import { createDepositBench, NETWORK } from './chains/deposit-bench.ts';
import { type Litecoin, startLitecoin } from './chains/litecoin.ts';
import { openTestDatabase } from './databases.ts';
import { commonConfig, createCommonActions, toToken } from './payout-chain-actions.ts';
import { addUser, openAccess, putPolicy } from './payout-chain-setup.ts';
import { CONFIRMATIONS, type CommonLab, WINDOW, type Writable } from './payout-chain-types.ts';
import { testMasterKey } from './test-config.ts';

export const COIN = 100_000_000n;
const FUNDS = 100n * COIN;
const IDENTITY = {
  kind: 'utxo',
  addressPrefix: 'rltc',
  uriScheme: 'litecoin',
  name: 'Litecoin regtest',
  coin: 'LTC',
} as const;

type Options = Partial<SignerOptions<UtxoConfig>>;

export interface UtxoLab extends CommonLab {
  readonly node: Litecoin;
  /** Of the hot wallet of this test. */
  readonly key: PrivateKey;
  readonly hotWallet: string;
  /** Of all tests until now: the books are of all of them. */
  readonly hotWallets: string[];
  /** Address of the user. */
  readonly payee: string;
  config(changes?: object): UtxoConfig;
  open(options?: Options): Signer<UtxoDeps>;
  /** Gives the hot wallet coins that are deep enough to be spent, also in the books. */
  fund(...amounts: number[]): Promise<void>;
  /** What an address has received in blocks, and not spent. */
  onChain(address: string): Promise<bigint>;
  /** Takes the newest blocks out of the chain: their transactions are in the pool again. */
  rollBack(blocks: number): Promise<void>;
  /** What `verify --chains` finds. */
  verify(): Promise<readonly string[]>;
  /** Books the network fee of a transaction of the hot wallet that belongs to no payout. */
  bookFee(txHash: string): Promise<BookedFee>;
}

let keys = 0;

const newKey = (): PrivateKey => `0x${(0xabc0 + ++keys).toString(16).padStart(64, '0')}`;

function makeConfig(lab: UtxoLab, changes: object): UtxoConfig {
  return parseUtxoConfig({
    ...commonConfig(lab),
    kind: 'utxo',
    address_prefix: 'rltc',
    rpc_url: lab.node.url,
    tokens: [toToken('LTC', null, 8)],
    documents_since: '2000-01-01T00:00:00Z',
    fee_rate_max: 500,
    fee_rate_min: 10,
    fee_budget_day: String(COIN),
    state_file: join(lab.folder, `${lab.hotWallet}.sqlite`),
    ...changes,
  });
}

/** The operator's posting when the hot wallet is funded. */
async function postFunding(lab: UtxoLab, amount: bigint): Promise<void> {
  const [result] = await postTransfers(lab.database, [
    {
      ...{ idempotencyKey: crypto.randomUUID(), currency: 'LTC', amount, mayOverdraw: true },
      debit: { house: 'withdrawal_clearing' },
      credit: { house: 'deposit_clearing' },
      businessId: 'adjustment',
      eventAt: systemClock.now(),
    },
  ]);
  expect(result?.status).toBe('posted');
}

function createActions(lab: Writable<UtxoLab>): UtxoLab {
  return Object.assign(createCommonActions(lab, 'LTC'), {
    config: (changes = {}) => makeConfig(lab, changes),
    open: (options: Options = {}) =>
      openUtxoSigner({
        config: lab.config(),
        key: lab.key,
        clientSecret: lab.clientSecret,
        log: () => undefined,
        ...options,
      }),
    async fund(...amounts: number[]) {
      for (const amount of amounts) {
        await lab.node.call('sendtoaddress', [lab.hotWallet, amount]);
        await postFunding(lab, (BigInt(amount * 1000) * COIN) / 1000n);
      }
      await lab.node.mine(CONFIRMATIONS);
    },
    async onChain(address: string) {
      const scan = await lab.node.call<{ total_amount: number }>('scantxoutset', [
        'start',
        [`addr(${address})`],
      ]);
      return BigInt(scan.total_amount.toFixed(8).replace('.', ''));
    },
    async rollBack(blocks: number) {
      const height = (await lab.node.height()) - blocks + 1;
      const hash = await lab.node.call<string>('getblockhash', [height]);
      await lab.node.call('invalidateblock', [hash]);
    },
    async verify() {
      const setting = lab.hotWallets.map((address) => `${NETWORK}=${address}`).join(', ');
      const wallets = await readHotWallets(lab.database, setting);
      return (await verifyWallets(lab.database, testMasterKey, wallets)).problems;
    },
    async bookFee(txHash: string) {
      const [wallet] = await readHotWallets(lab.database, `${NETWORK}=${lab.hotWallet}`);
      if (!wallet) throw new Error('the lab has no hot wallet');
      const { database } = lab;
      const deps = { database, masterKey: testMasterKey, clock: systemClock };
      return bookNetworkFee(deps, wallet, txHash);
    },
  });
}

async function openService(lab: Writable<UtxoLab>): Promise<void> {
  lab.database = await openTestDatabase('server');
  await ensureCurrency(lab.database, 'LTC', 8);
  lab.bench = createDepositBench(lab.database);
  await lab.bench.configure([lab.node.url], {
    requiredConfirmations: CONFIRMATIONS,
    reorgWindow: WINDOW,
    startHeight: 105,
    identity: IDENTITY,
  });
  await lab.bench.addToken('LTC', undefined, 8);
  await openAccess(lab);
  await putPolicy(lab, ['LTC']);
}

/**
 * Registers the hooks of a suite: one chain and one service, and a new user and hot wallet for each
 * test. The books are verified after the suite.
 */
export function useUtxoLab(nodeOptions: readonly string[] = []): UtxoLab {
  const lab = { hotWallets: [] as string[] } as unknown as Writable<UtxoLab>;
  createActions(lab);
  beforeAll(async () => {
    lab.node = await startLitecoin(['-txindex=1', '-mempoolreplacement=1', ...nodeOptions]);
    await lab.node.mine(110);
    lab.folder = mkdtempSync(join(tmpdir(), 'edge-signer-'));
    await openService(lab);
    return async () => {
      expect((await verifyLedger(lab.database, [])).findings).toEqual([]);
      expect((await verifyDecisions(lab.database)).problems).toEqual([]);
      await lab.service.stop();
      await lab.database.close();
      await lab.node.stop();
      rmSync(lab.folder, { recursive: true });
    };
  });
  beforeEach(async () => {
    lab.key = newKey();
    lab.hotWallet = new UtxoWallet(lab.key, makeConfig(lab, {})).address;
    lab.hotWallets.push(lab.hotWallet);
    lab.payee = await lab.node.call<string>('getnewaddress', ['', 'bech32']);
    await addUser(lab, { funds: [['LTC', FUNDS]], address: lab.payee });
  });
  return lab;
}
