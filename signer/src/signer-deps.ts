/** What the parts of the signer share. */
import type { SignerConfig } from './config.ts';
import type { EvmWallet } from './evm-wallet.ts';
import type { ServiceClient } from './service-client.ts';
import type { SignerState } from './state.ts';

export interface SignerDeps {
  readonly config: SignerConfig;
  readonly state: SignerState;
  readonly service: ServiceClient;
  readonly wallet: EvmWallet;
  readonly now: () => number;
  readonly log: (event: string, details?: Readonly<Record<string, unknown>>) => void;
}
