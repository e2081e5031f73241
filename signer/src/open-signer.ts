/** Puts a signer together, and runs it until it is stopped. */
import { setTimeout } from 'node:timers/promises';
import type { SignerConfig } from './config.ts';
import { EvmWallet } from './evm-wallet.ts';
import type { PrivateKey } from './key-file.ts';
import { createRpc } from './rpc.ts';
import { createServiceClient } from './service-client.ts';
import { resendAll, runCycle } from './signer.ts';
import type { SignerDeps } from './signer-deps.ts';
import { SignerState } from './state.ts';

export interface SignerOptions<Config = SignerConfig> {
  readonly config: Config;
  readonly key: PrivateKey;
  readonly clientSecret: string;
  readonly log: SignerDeps['log'];
  readonly send?: typeof fetch;
  readonly now?: () => number;
}

/** What signers of all kinds of chains have. */
interface CommonDeps {
  readonly config: { readonly poll_ms: number };
  readonly wallet: { readonly address: string };
  readonly state: { readonly name: string };
  readonly log: SignerDeps['log'];
}

export interface Signer<Deps extends CommonDeps = SignerDeps> {
  readonly deps: Deps;
  /** Checks the chain, and sends what was signed before. Call it before the first cycle. */
  start(): Promise<void>;
  cycle(): Promise<void>;
  close(): void;
}

/** The signer must not start like this: a person has to decide. */
export class SetupError extends Error {}

/**
 * A new or an older state for a wallet in use: another state may have paid what the service hands
 * over. Documents from before `documents_since` are refused, so it must be later than all that the
 * state has accepted.
 */
async function checkState({ config, state, wallet }: SignerDeps): Promise<void> {
  const { documents_since } = config;
  const isStated = documents_since !== undefined;
  if (isStated && (state.isEmpty || Date.parse(documents_since) > state.lastAcceptedAt)) return;
  const sent = await wallet.countTransactions('pending');
  const { nextNonce } = state;
  if (sent > nextNonce)
    throw new SetupError(
      `the wallet has sent ${sent} transactions, and this state knows ${nextNonce || 'none'}: ` +
        'restore the state, or set documents_since to now (see the README)',
    );
}

export function openSigner(options: SignerOptions): Signer {
  const { config, key, clientSecret, log, send = fetch, now = Date.now } = options;
  const wallet = new EvmWallet(key, createRpc(config.rpc_url, send), config);
  const owner = { address: wallet.address, chainId: config.chain_id };
  const state = new SignerState(config.state_file, owner);
  const service = createServiceClient({ config, clientSecret, signer: state.name, send });
  const deps: SignerDeps = { config, state, service, wallet, now, log };
  return {
    deps,
    async start() {
      await wallet.checkChain();
      await checkState(deps);
      await resendAll(deps);
    },
    cycle: () => runCycle(deps),
    close: () => state.close(),
  };
}

/** Runs cycles; an error ends one cycle, not the signer. */
export async function runSigner(signer: Signer<CommonDeps>, signal: AbortSignal): Promise<void> {
  const { config, log } = signer.deps;
  let isStarted = false;
  while (!signal.aborted) {
    try {
      if (!isStarted) await signer.start();
      isStarted = true;
      await signer.cycle();
    } catch (error) {
      if (error instanceof SetupError) throw error;
      log('cycle_failed', { error: error instanceof Error ? error.message : String(error) });
    }
    await setTimeout(config.poll_ms, undefined, { signal }).catch(() => undefined);
  }
}
