/**
 * The user's own signature of a payout: a passkey assertion whose challenge is the hash of the
 * order. The signer verifies it again, so that a compromised service cannot change the order.
 */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Db, Transaction } from '../db/index.ts';
import { createApprovalOptions, listApproverKeys, verifyApproval } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, failure } from '../lib/failures.ts';
import type { PayoutsDeps } from './context.ts';
import { type PayoutOrderFacts, writeOrder } from './document.ts';
import { type AddressRow, requireAddress } from './payout-addresses.ts';
import { requireAmount } from './quote-payout.ts';
import { requireTerms, type Terms, toTokenUnits } from './terms.ts';

/** Stored with the payout, and handed to the signer. */
export interface OwnerAssertion {
  /** COSE key, base64url. */
  readonly public_key: string;
  readonly passkey_credential: AuthenticationResponseJSON;
}

export interface RequestOrder {
  readonly currency: string;
  readonly amount: string;
  readonly address_id: number;
  readonly quote_version?: number;
}

export interface OrderOfUser {
  readonly userId: number;
  /** `Idempotency-Key`, as the user sent it. */
  readonly requestId: string;
  readonly order: RequestOrder;
}

export interface DescribedOrder {
  readonly terms: Terms;
  readonly target: AddressRow;
  readonly amount: bigint;
  readonly facts: PayoutOrderFacts;
}

/** What an order pays to whom. @throws as `requireTerms` and `requireAmount`, `not_found` */
export async function describeOrder(
  db: Db,
  clock: Clock,
  { userId, requestId, order }: OrderOfUser,
): Promise<DescribedOrder> {
  const target = await requireAddress(db, userId, order.address_id);
  const version = order.quote_version === undefined ? {} : { version: order.quote_version };
  const terms = await requireTerms(db, clock, { ...order, ...version, network: target.network });
  const amount = requireAmount(order.amount, terms);
  const { network, token, currency, rule } = terms;
  const facts = {
    request_id: requestId,
    user_id: userId,
    network: network.code,
    chain_id: network.chainId ?? null,
    address_prefix: network.addressPrefix ?? null,
    currency: currency.code,
    contract: token.contract ?? null,
    address: target.address,
    amount: String(toTokenUnits(amount - rule.fee, terms)),
  };
  return { terms, target, amount, facts };
}

/** The passkey with which the user signed what was paid last: signers know that one. */
async function findPreferred(db: Db, userId: number): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select owner_assertion -> 'passkey_credential' ->> 'id' as id from payout
     where user_id = $1 and owner_assertion is not null and status in ('sent', 'confirmed')
     order by payout.id desc limit 1`,
    [userId],
  );
  return rows[0]?.id;
}

/** The order as a passkey signs it, for the browser's prompt. */
export async function createSigningOptions(
  { database, clock, config }: PayoutsDeps,
  ofUser: OrderOfUser,
) {
  const { text, hash } = writeOrder((await describeOrder(database, clock, ofUser)).facts);
  const { userId } = ofUser;
  const preferred = await findPreferred(database, userId);
  const request = { userId, hash, ...(preferred !== undefined && { preferred }) };
  return { order: text, options: await createApprovalOptions(database, config, request) };
}

/** The user has not proven the request. It may be sent again under the same key. */
export class UnprovenError extends Error {
  readonly failure: Failure;
  constructor(code: 'payout_signature_required' | 'approval_invalid') {
    super(code);
    this.failure = failure(code);
  }
}

export interface Proof {
  readonly userId: number;
  /** Signature of the order. */
  readonly credential?: AuthenticationResponseJSON;
}

/** What the user has signed; null: an account without a passkey. @throws UnprovenError */
export async function proveOwner(
  tx: Transaction,
  deps: PayoutsDeps,
  { userId, credential: response }: Proof,
  { facts }: DescribedOrder,
): Promise<OwnerAssertion | null> {
  if (!response) {
    if ((await listApproverKeys(tx, userId)).length === 0) return null;
    throw new UnprovenError('payout_signature_required');
  }
  const { hash } = writeOrder(facts);
  const publicKey = await verifyApproval(tx, deps, { userId, hash, response });
  if (!publicKey) throw new UnprovenError('approval_invalid');
  return { public_key: publicKey.toString('base64url'), passkey_credential: response };
}
