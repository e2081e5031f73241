/** What the parts of the provider share. */
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { Authenticator, Outgoing, PageLook } from '../http/index.ts';
import type { TokenState } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import type { ClientRegistry } from './clients/index.ts';
import type { FindBoundNode } from './guard/bound-node.ts';
import type { RecordDpopJti } from './guard/dpop-replay-store.ts';
import type { KeyRing } from './keys/index.ts';
import type { CallerLimits } from './provider/caller-limits.ts';
import type { InteractionEncryption } from './provider/interaction-encryption.ts';
import type { ApplicationIdentity } from './tokens/application-identity.ts';
import type { SignToken } from './tokens/sign-token.ts';

export interface OidcContext {
  readonly config: Config;
  /** Issuer and audience of all tokens. */
  readonly baseUrl: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  readonly tokenState: TokenState;
  readonly keys: KeyRing;
  readonly clients: ClientRegistry;
  readonly sign: SignToken;
  readonly authenticator: Authenticator;
  readonly recordJti: RecordDpopJti;
  readonly applications: ApplicationIdentity;
  readonly findBoundNode: FindBoundNode;
  readonly limits: CallerLimits;
  readonly outgoing: Outgoing;
  readonly encryption: InteractionEncryption;
  /** Of the pages that the provider shows. */
  readonly look: () => PageLook;
  onError(error: unknown): void;
}
