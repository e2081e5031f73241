/** Dependencies of the use cases of this domain. */
import type { TokenCipher } from '../lib/encrypted-token.ts';
import { SERVICE_NAME } from '../lib/service-name.ts';
import { type ChallengeDeps, type Challenges, createChallenges } from './challenge/challenges.ts';
import { type Background, createBackground } from './deferred-tasks.ts';
import { createEmailCodes, type EmailCodes } from './email-codes.ts';
import { createLimits, type Limits } from './limits.ts';
import { createPasskeyCipher, type PasskeyChallenge } from './login/passkey-challenge.ts';
import { createMailDomains, type MailDomains } from './mail-domains.ts';
import { createPasswords, type Passwords, readHashCost } from './passwords.ts';
import { createSecretCipher, type SecretCipher } from './secret-encryption.ts';
import { type AllTicketRules, createTicketRules } from './ticket-rules.ts';
import type {
  NewAddressHook,
  PaidKinds,
  RunOnChain,
  TokenIssuer,
  UserClosingHook,
  UserCreatedHook,
} from './types.ts';
import {
  createUpstreamConnections,
  type UpstreamConnections,
} from './upstream/connect-provider.ts';
import { createUpstreamTokens, type UpstreamTokens } from './upstream/upstream-request.ts';
import { createWalletCipher, type WalletChallenge } from './wallets/wallet-token.ts';

export interface IdentityDeps extends ChallengeDeps {
  readonly tokenIssuer: TokenIssuer;
  readonly onUserCreated?: readonly UserCreatedHook[];
  readonly onUserClosing?: readonly UserClosingHook[];
  readonly onNewAddress?: NewAddressHook;
  readonly onBackgroundError: (error: unknown) => void;
  /** Verifies contract wallets; default: none is. */
  readonly runOnChain?: RunOnChain;
  /** What the network pays for; default: nothing. */
  readonly readPaidKinds?: () => Promise<PaidKinds>;
  /** What people know the network by; default: that of the service. */
  readonly serviceName?: () => string;
  /** For tests; default argon2id. */
  readonly passwords?: Passwords;
  /** For tests that wait for deferred tasks. */
  readonly background?: Background;
}

/** Sign-in with accounts of other OpenID providers. */
export interface Upstream {
  readonly tokens: UpstreamTokens;
  readonly connections: UpstreamConnections;
}

const createUpstream = (deps: IdentityDeps): Upstream => ({
  tokens: createUpstreamTokens(deps.masterKey),
  connections: createUpstreamConnections(deps),
});

export interface IdentityContext extends IdentityDeps {
  readonly passwords: Passwords;
  readonly codes: EmailCodes;
  readonly secretCipher: SecretCipher;
  readonly ticketRules: AllTicketRules;
  readonly limits: Limits;
  readonly mailDomains: MailDomains;
  readonly challenges: Challenges;
  readonly background: Background;
  readonly upstream: Upstream;
  readonly walletCipher: TokenCipher<WalletChallenge>;
  readonly passkeyCipher: TokenCipher<PasskeyChallenge>;
  readonly runOnChain: RunOnChain;
  readonly readPaidKinds: () => Promise<PaidKinds>;
  readonly serviceName: () => string;
  readonly onUserCreated: readonly UserCreatedHook[];
  readonly onUserClosing: readonly UserClosingHook[];
}

export function createIdentityContext(deps: IdentityDeps): IdentityContext {
  const { config, masterKey, database, clock } = deps;
  return {
    onUserCreated: [],
    onUserClosing: [],
    runOnChain: async () => undefined,
    readPaidKinds: async () => ({ hasUptime: false, hasTraffic: false, hasReferral: false }),
    serviceName: () => SERVICE_NAME,
    ...deps,
    passwords: deps.passwords ?? createPasswords(masterKey, readHashCost(config)),
    codes: createEmailCodes(masterKey),
    secretCipher: createSecretCipher(masterKey),
    ticketRules: createTicketRules(config),
    background: deps.background ?? createBackground(deps.onBackgroundError),
    mailDomains: createMailDomains(config),
    challenges: createChallenges(deps),
    upstream: createUpstream(deps),
    walletCipher: createWalletCipher(masterKey),
    passkeyCipher: createPasskeyCipher(masterKey),
    limits: createLimits(database, clock, config.RATE_LIMIT_SCALE),
  };
}
