/** The fixture of payouts on a real chain. */
import type { SignerConfig } from '../../../signer/src/config.ts';
import type { Signer, SignerOptions } from '../../../signer/src/open-signer.ts';
import type { Database } from '../../src/db/index.ts';
import type { Anvil, Hex } from './chains/anvil.ts';
import type { DepositBench } from './chains/deposit-bench.ts';
import type { RunningService } from './running-service.ts';
import type { SoftPasskey } from './soft-passkey.ts';

export const HOT_KEY = `0x${'11'.repeat(32)}` as const;
export const HOT_WALLET = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
export const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const CONFIRMATIONS = 3;
/** Failures below it are final: a deeper reorganisation halts the network. */
export const WINDOW = 16;
export const ETH = 10n ** 18n;

export interface LabOperator {
  readonly userId: number;
  readonly passkey: SoftPasskey;
}

/** What the fixtures of all kinds of chains have. */
export interface CommonLab {
  readonly database: Database;
  readonly bench: DepositBench;
  readonly service: RunningService;
  readonly user: number;
  readonly operators: readonly [LabOperator, LabOperator];
  readonly clientSecret: string;
  /** Keys of the ledger's heads. */
  readonly ledgerKeys: SignerConfig['ledger_keys'];
  readonly folder: string;
  request(amount: string, currency?: string): Promise<number>;
  /** Requests, reviews and approves; returns the id. */
  approved(amount: string, currency?: string): Promise<number>;
  /** Runs the job once; returns how many it looked at. */
  review(): Promise<number>;
  /** As the operators whom it needs. */
  approve(id: number): Promise<void>;
  /** As a client of the operator. */
  operate(path: string, body: object): Promise<Record<string, unknown>>;
  /** As the client of a signer. */
  sign(path: string, body: object): Promise<Record<string, unknown>>;
  read(id: number): Promise<Record<string, unknown>>;
  /** The watcher reads the chain, then payouts are followed; from then on so much later. */
  follow(later_ms?: number): Promise<void>;
  balance(userId: number, currency?: string): Promise<{ balance: bigint; hold: bigint }>;
}

export interface ChainLab extends CommonLab {
  readonly anvil: Anvil;
  readonly usdt: Hex;
  /** With another state file for another signer. */
  config(changes?: object): SignerConfig;
  open(options?: Partial<SignerOptions>): Signer;
  /** What `verify --chains` finds, with the hot wallet funded in the books. */
  verify(): Promise<readonly string[]>;
  onChain(address: string): Promise<bigint>;
}

export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
export type Mutable = Writable<ChainLab>;
