/**
 * The passkeys of owners of payouts: the first one that signs is kept, and from then on the owner
 * signs each payout with it.
 */
import type { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  create table if not exists owner_key (
    user_id integer not null primary key,
    credential_id text not null unique,
    public_key text not null) strict;
  create table if not exists owner_order (
    user_id integer not null,
    request_id text not null,
    payout_id integer not null unique,
    primary key (user_id, request_id)) strict;
`;

export interface OwnerKey {
  readonly credential_id: string;
  /** COSE key, base64url. */
  readonly public_key: string;
}

/** What an owner has signed, and with which passkey. */
export interface SignedOrder extends OwnerKey {
  readonly user_id: number;
  /** Of the owner's request: it pays one payout. */
  readonly request_id: string;
}

export class OwnerStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
  }

  findKey(userId: number): OwnerKey | undefined {
    const sql = 'select credential_id, public_key from owner_key where user_id = ?';
    return this.#db.prepare(sql).get(userId) as OwnerKey | undefined;
  }

  /** The owner whose passkey it is. */
  findUser(credentialId: string): number | undefined {
    const sql = 'select user_id from owner_key where credential_id = ?';
    return this.#db.prepare(sql).get(credentialId)?.user_id as number | undefined;
  }

  /** True when the request has paid a payout, or is about to. */
  isUsed(userId: number, requestId: string): boolean {
    const sql = 'select 1 from owner_order where user_id = ? and request_id = ?';
    return this.#db.prepare(sql).get(userId, requestId) !== undefined;
  }

  /** In the transaction that accepts the payout. */
  keep(payoutId: number, order: SignedOrder): void {
    const { user_id, request_id, credential_id, public_key } = order;
    this.#db
      .prepare('insert into owner_key values (?, ?, ?) on conflict (user_id) do nothing')
      .run(user_id, credential_id, public_key);
    this.#db.prepare('insert into owner_order values (?, ?, ?)').run(user_id, request_id, payoutId);
  }

  /** The next passkey of the owner that signs is kept anew. @returns whether there was one */
  forget(userId: number): boolean {
    return this.#db.prepare('delete from owner_key where user_id = ?').run(userId).changes > 0;
  }
}
