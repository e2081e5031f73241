/**
 * Decides whether the owner of a payout wants it: their passkey has signed the order. The service
 * cannot change, repeat or leave out what they signed, once their passkey is known here.
 */
import { createHash } from 'node:crypto';
import type { OwnerKey, OwnerStore, SignedOrder } from './owner-store.ts';
import type { OwnerAssertion } from './service-client.ts';
import {
  isSignedBy,
  type PayoutDocument,
  refuse,
  toCanonicalJson,
  type VerifyConfig,
} from './verify-payout.ts';

/** Hash of the order, as the document describes it: the challenge that the owner signs. */
export function hashOrder(document: PayoutDocument): string {
  const { request_id, user_id, network, chain_id, address_prefix } = document;
  const { currency, contract, address, amount } = document;
  const order = {
    ...{ kind: 'payout-order', version: 1, request_id, user_id, network, chain_id },
    ...{ address_prefix, currency, contract, address, amount },
  };
  return createHash('sha256').update(toCanonicalJson(order)).digest('base64url');
}

/** The owners of one batch of payouts, none of which is written yet. */
export class Owners {
  readonly #store: OwnerStore;
  readonly #keys = new Map<number, OwnerKey>();
  readonly #users = new Map<string, number>();
  readonly #requests = new Set<string>();

  constructor(store: OwnerStore) {
    this.#store = store;
  }

  /**
   * The key that must have signed the order.
   * @returns undefined for an owner who has no passkey
   * @throws Refusal
   */
  choose(document: PayoutDocument, owner: OwnerAssertion | undefined): SignedOrder | undefined {
    const { user_id, request_id } = document;
    const known = this.#store.findKey(user_id) ?? this.#keys.get(user_id);
    if (!owner) {
      if (known) throw refuse('its owner has a passkey, and has not signed it');
      return undefined;
    }
    if (request_id === undefined) throw refuse('the document names no request of its owner');
    const { id: credential_id } = owner.passkey_credential;
    const key = known ?? { credential_id, public_key: owner.public_key };
    if (key.credential_id !== credential_id)
      throw refuse('its owner signed with another passkey than the one that is known');
    const user = this.#store.findUser(credential_id) ?? this.#users.get(credential_id);
    if ((user ?? user_id) !== user_id) throw refuse('the passkey is of another owner');
    const request = `${user_id} ${request_id}`;
    if (this.#requests.has(request) || this.#store.isUsed(user_id, request_id))
      throw refuse('its owner signed the request for another payout');
    this.#requests.add(request);
    this.#keys.set(user_id, key);
    this.#users.set(credential_id, user_id);
    return { user_id, request_id, ...key };
  }
}

/** @throws Refusal unless the key signed the order of the document */
export async function checkOwner(
  config: VerifyConfig,
  document: PayoutDocument,
  { order, owner }: { readonly order?: SignedOrder; readonly owner?: OwnerAssertion },
): Promise<void> {
  if (!order || !owner) return;
  const signed = { hash: hashOrder(document), response: owner.passkey_credential };
  if (!(await isSignedBy(config, order, signed)))
    throw refuse('its owner has not signed what the document says');
}
