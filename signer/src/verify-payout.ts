/**
 * Decides about a payout that the service hands over, by the signer's own keys and limits. A
 * compromised service can hand over anything.
 */
import { createHash } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { SignerConfig } from './config.ts';
import type { TakenPayout } from './service-client.ts';

const DocumentSchema = Type.Object(
  {
    version: Type.Literal(1),
    payout_id: Type.Integer({ minimum: 1 }),
    user_id: Type.Integer({ minimum: 1 }),
    /** Of the owner's request. Absent in documents from before owners signed. */
    request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    network: Type.String(),
    chain_id: Type.Union([Type.Integer(), Type.Null()]),
    address_prefix: Type.Union([Type.String(), Type.Null()]),
    currency: Type.String(),
    contract: Type.Union([Type.String(), Type.Null()]),
    address: Type.String(),
    amount: Type.String({ pattern: '^[1-9][0-9]{0,77}$' }),
    requested_at: Type.String(),
    attempt: Type.Integer({ minimum: 1 }),
    issued_at: Type.String(),
  },
  { additionalProperties: false },
);
export type PayoutDocument = Static<typeof DocumentSchema>;
export type TokenLimits = SignerConfig['tokens'][number];

/** Why a payout is not paid. */
export class Refusal extends Error {
  readonly outcome: 'refused' | 'postponed';
  /** Of `postponed`: the hot wallet holds too little now; absent: a limit. */
  readonly cause_code?: 'hot_wallet';
  constructor(outcome: Refusal['outcome'], reason: string, causeCode?: 'hot_wallet') {
    super(reason);
    this.outcome = outcome;
    if (causeCode) this.cause_code = causeCode;
  }
}

export const refuse = (reason: string): Refusal => new Refusal('refused', reason);

/** What all kinds of signers verify by. */
export type VerifyConfig = Pick<
  SignerConfig,
  | 'network'
  | 'tokens'
  | 'document_age_max_s'
  | 'documents_since'
  | 'head_age_max_s'
  | 'operators'
  | 'rp_id'
  | 'origins'
>;

/** What depends on the kind of the chain. */
export interface ChainRules {
  readonly chain_id: number | null;
  readonly address_prefix: string | null;
  /** @throws Refusal for an address that no user of the chain can have */
  checkAddress(document: PayoutDocument): void;
}

/** Members sorted by name, without spaces. */
export function toCanonicalJson(flat: object): string {
  const sorted = Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

/** The document, whose text is canonical and has the hash. @throws Refusal */
export function readDocument({ payout_id, document, document_hash }: TakenPayout): PayoutDocument {
  const hash = createHash('sha256').update(document).digest('base64url');
  if (hash !== document_hash) throw refuse('the document has another hash');
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    throw refuse('the document is not JSON');
  }
  if (!Value.Check(DocumentSchema, value)) throw refuse('the document has another form');
  if (toCanonicalJson(value) !== document) throw refuse('the document is not canonical');
  if (value.payout_id !== payout_id) throw refuse('the document is of another payout');
  return value;
}

/** How far the clocks of the service and the signer may be apart without an effect. */
const CLOCKS_APART_MS = 60_000;

/**
 * A document from the future would be too old too late, and not be from before `documents_since`.
 * Clocks that are as far apart as a head may be from now let it wait, and need no operator.
 * @throws Refusal
 */
function checkNotAhead(ahead_ms: number, { head_age_max_s }: VerifyConfig): void {
  if (ahead_ms > head_age_max_s * 1000) throw refuse('the document is from the future');
  if (ahead_ms > CLOCKS_APART_MS)
    throw new Refusal('postponed', 'the clocks of the service and the signer are apart');
}

/** What the document says is possible here. @throws Refusal */
export function checkDocument(
  config: VerifyConfig,
  document: PayoutDocument,
  { rules, now }: { readonly rules: ChainRules; readonly now: number },
): TokenLimits {
  const { network, chain_id, address_prefix, currency, contract, amount, issued_at } = document;
  const isHere = chain_id === rules.chain_id && address_prefix === rules.address_prefix;
  if (network !== config.network || !isHere) throw refuse('the document is of another chain');
  const token = config.tokens.find((known) => known.currency === currency);
  if (token?.contract !== contract) throw refuse('the currency has another contract, or none');
  rules.checkAddress(document);
  const issued = Date.parse(issued_at);
  if (!(now - issued < config.document_age_max_s * 1000)) throw refuse('the document is too old');
  checkNotAhead(issued - now, config);
  if (config.documents_since !== undefined && issued < Date.parse(config.documents_since))
    throw refuse('the document is from before documents_since');
  if (BigInt(amount) > BigInt(token.payout_max)) throw refuse('the amount is above payout_max');
  return token;
}

/** True for an assertion by the key over the hash, with verification of the user. */
export async function isSignedBy(
  { rp_id, origins }: VerifyConfig,
  key: SignerConfig['operators'][number]['keys'][number],
  { hash, response }: { hash: string; response: AuthenticationResponseJSON },
): Promise<boolean> {
  try {
    const { verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: hash,
      expectedOrigin: [...origins],
      expectedRPID: rp_id,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')),
        counter: 0,
      },
      requireUserVerification: true,
    });
    return verified;
  } catch {
    // The library throws on a malformed or forged response.
    return false;
  }
}

/**
 * Distinct persons of the configuration whose passkeys signed the hash of the document, without its
 * owner, under whatever account.
 */
async function countApprovers(
  config: VerifyConfig,
  document: PayoutDocument,
  { document_hash: hash, approvals }: TakenPayout,
): Promise<number> {
  const ofOwner = config.operators.filter(({ user_id }) => user_id === document.user_id);
  const owners = new Set(ofOwner.map(({ name }) => name));
  const others = config.operators.filter(({ name }) => !owners.has(name));
  const names = new Set<string>();
  for (const { passkey_credential: response } of approvals) {
    for (const { name, keys } of others) {
      const key = keys.find(({ credential_id }) => credential_id === response.id);
      if (!key) continue;
      if (await isSignedBy(config, key, { hash, response })) names.add(name);
    }
  }
  return names.size;
}

/** @throws Refusal unless enough operators approved the document */
export async function checkApprovals(
  config: VerifyConfig,
  token: TokenLimits,
  document: PayoutDocument,
  taken: TakenPayout,
): Promise<void> {
  const amount = BigInt(document.amount);
  if (amount <= BigInt(token.automatic_max)) return;
  const needed = amount > BigInt(token.four_eyes_above) ? 2 : 1;
  const found = await countApprovers(config, document, taken);
  if (found < needed) throw refuse(`${found} of ${needed} approvals are valid`);
}
