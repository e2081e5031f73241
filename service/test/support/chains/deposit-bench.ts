/**
 * The fixture of watcher tests: a database, users with addresses, a configured network, a watcher.
 */
import { HDKey } from '@scure/bip32';
import type { Database } from '../../../src/db/index.ts';
import { CHAIN_NOTES, HALT_REASONS } from '../../../src/deposits/chain-reasons.ts';
import { DEPOSIT_REASONS } from '../../../src/deposits/deposit-reasons.ts';
import {
  configureNetwork,
  configureToken,
  createWatcherFor,
  issueAddress,
  type NetworkSettings,
  requireNetworkInPath,
} from '../../../src/deposits/index.ts';
import { findCurrency, installLedger, readBalances } from '../../../src/ledger/index.ts';
import { createManualClock } from '../../../src/lib/clock.ts';
import { type CodedMessage, fromColumns } from '../../../src/lib/coded-messages.ts';
import { testMasterKey } from '../test-config.ts';
import { insertUser } from '../test-users.ts';
import type { Hex } from './anvil.ts';

export const NETWORK = 'TESTNET';
export const ACCOUNT_KEY = HDKey.fromMasterSeed(Buffer.alloc(32, 3)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;

export interface DepositRow {
  readonly id: number;
  readonly status: string;
  readonly reason: string | null;
  readonly amount: string;
  readonly raw_amount: string;
  readonly currency: string;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly block_number: number;
  readonly epoch: number;
  readonly user_id: number;
}

export interface Person {
  readonly userId: number;
  readonly address: Hex;
}

export const clock = createManualClock('2026-03-01T12:00:00Z');

const MAX_LOOKS = 300;

type Values = CodedMessage['values'];

/** The sentence of a message in its two columns. */
function toSentence(
  messages: { format(message: CodedMessage): string },
  code: string | null,
  values: Values | null,
): string | null {
  const message = fromColumns(code, values);
  return message ? messages.format(message) : null;
}

/** Functions over one database. */
export function createDepositBench(database: Database) {
  installLedger(database, { clock, masterKey: testMasterKey });

  const network = () => requireNetworkInPath(database, NETWORK);

  const bench = {
    database,
    network,
    /** Configures the test network; an EVM chain by default. */
    configure: (rpcUrls: readonly string[], settings: NetworkSettings = {}) =>
      configureNetwork(database, { clock, masterKey: testMasterKey }, NETWORK, {
        rpcUrls,
        xpub: ACCOUNT_KEY,
        requiredConfirmations: 3,
        usesFinalized: false,
        reorgWindow: 20,
        poll_ms: 20,
        startHeight: 0,
        identity: { kind: 'evm', chainId: 31337, coin: 'ETH' },
        ...settings,
      }),
    async addToken(
      currency: string,
      contract: string | undefined,
      decimals: number,
      { minDeposit = 0n, isEnabled = true } = {},
    ) {
      const found = await findCurrency(database, currency);
      if (!found) throw new Error(`no currency ${currency}`);
      return configureToken(database, { network: await network(), clock }, found, {
        contract,
        decimals,
        minDeposit,
        isEnabled,
      });
    },
    async addPerson(): Promise<Person> {
      const userId = await insertUser(database);
      const { address } = await issueAddress(database, clock, userId, await network());
      return { userId, address: address as Hex };
    },
    async newWatcher() {
      return createWatcherFor({
        db: database,
        clock,
        masterKey: testMasterKey,
        network: await network(),
      });
    },
    /** Polls until no work is left; returns the result of the last poll. */
    async settle(
      watcher?: Awaited<ReturnType<typeof createWatcherFor>>,
    ): Promise<string | undefined> {
      const used = watcher ?? (await bench.newWatcher());
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        const { isBusy, note } = await used.poll();
        if (!isBusy) return note && CHAIN_NOTES.format(note);
      }
      throw new Error('the watcher does not come to rest');
    },
    async deposits(): Promise<DepositRow[]> {
      const { rows } = await database.query<
        DepositRow & { reason_code: string | null; reason_values: Values | null }
      >('select * from deposit order by id');
      return rows.map((row) => ({
        ...row,
        reason: toSentence(DEPOSIT_REASONS, row.reason_code, row.reason_values),
      }));
    },
    /** A user's balance in a currency, in minor units. */
    async balance(userId: number, currency: string): Promise<bigint> {
      return (
        (await readBalances(database, userId, 'asset')).find(
          (balance) => balance.currency === currency,
        )?.balance ?? 0n
      );
    },
    async eventTypes(): Promise<string[]> {
      return (
        await database.query<{ type: string }>('select type from event order by id')
      ).rows.map((row) => row.type);
    },
    async state() {
      const { rows } = await database.query<{
        cursor_height: number | null;
        halted_reason_code: string | null;
        halted_reason_values: Values | null;
        note_code: string | null;
        note_values: Values | null;
      }>('select * from chain_state where network = $1', [NETWORK]);
      const [row] = rows;
      return (
        row && {
          cursor_height: row.cursor_height,
          halted_reason: toSentence(HALT_REASONS, row.halted_reason_code, row.halted_reason_values),
          note: toSentence(CHAIN_NOTES, row.note_code, row.note_values),
        }
      );
    },
  };
  return bench;
}

export type DepositBench = ReturnType<typeof createDepositBench>;
