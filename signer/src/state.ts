/**
 * The durable state of the signer. What a payout is signed with is written before it is signed, so
 * that any number of restarts gives the same payout the same nonce.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { HeadStore } from './head-store.ts';

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma locking_mode = exclusive;
  create table if not exists signer (
    name text not null primary key, address text not null, chain_id integer not null);
  create table if not exists payout (
    id integer not null primary key,
    document_hash text not null unique,
    document text not null,
    currency text not null,
    address text not null,
    amount text not null,
    nonce integer not null unique,
    gas integer not null,
    gas_cost text not null,
    accepted_at integer not null,
    is_done integer not null default 0,
    -- Taken back by operators before anything was sent: its nonce pays nothing.
    is_void integer not null default 0) strict;
  create index if not exists payout_open on payout (nonce) where is_done = 0;
  create index if not exists payout_accepted on payout (accepted_at);
  create table if not exists signed (
    payout_id integer not null references payout (id),
    tx_hash text not null primary key,
    raw text not null,
    max_fee text not null,
    priority_fee text not null,
    signed_at integer not null,
    is_published integer not null default 0) strict;
  create index if not exists signed_payout on signed (payout_id, signed_at);
`;

export interface AcceptedPayout {
  readonly id: number;
  readonly document_hash: string;
  readonly document: string;
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  readonly gas: number;
  /** Most that its gas may cost, in wei. */
  readonly gas_cost: string;
  /** Step of the ledger that holds its money. */
  readonly hold_step: number;
}

export interface StoredPayout extends Omit<AcceptedPayout, 'hold_step'> {
  readonly nonce: number;
  readonly accepted_at: number;
  /** 1: taken back by operators; its nonce pays nothing. */
  readonly is_void: 0 | 1;
}

export interface SignedTransaction {
  readonly payout_id: number;
  readonly tx_hash: string;
  readonly raw: string;
  readonly max_fee: string;
  readonly priority_fee: string;
  readonly signed_at: number;
}

export interface StoredTransaction extends SignedTransaction {
  /** 1: the service knows it, and the chain was given it. */
  readonly is_published: 0 | 1;
}

export interface Spent {
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  readonly gas_cost: string;
  readonly accepted_at: number;
}

export class SignerState {
  readonly #db: DatabaseSync;
  /** Names this state at the service: what it has taken, no other signer gets. */
  readonly name: string;
  readonly heads: HeadStore;

  /** @throws Error for a file of another key or chain, or one that another process has open */
  constructor(path: string, owner: { readonly address: string; readonly chainId: number }) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(SCHEMA);
    this.heads = new HeadStore(this.#db);
    const insert = this.#db.prepare(
      'insert into signer select ?, ?, ? where not exists (select 1 from signer)',
    );
    insert.run(randomBytes(12).toString('hex'), owner.address, owner.chainId);
    const row = this.#db.prepare('select * from signer').get();
    if (row?.address !== owner.address || row.chain_id !== owner.chainId)
      throw new Error('the state belongs to another key or chain');
    this.name = String(row.name);
  }

  #all<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.#db.prepare(sql).all(...values) as T[];
  }

  #inTransaction(work: () => void): void {
    this.#db.exec('begin immediate');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  /** True when it has accepted nothing yet. */
  get isEmpty(): boolean {
    return this.#all('select 1 from payout limit 1').length === 0;
  }

  hasNonce(nonce: number): boolean {
    return this.#all('select 1 from payout where nonce = ?', nonce).length > 0;
  }

  find(id: number): StoredPayout | undefined {
    return this.#all<StoredPayout>('select * from payout where id = ?', id)[0];
  }

  /** What was accepted since an instant, in milliseconds. */
  listSpentSince(at: number): Spent[] {
    return this.#all<Spent>(
      `select currency, address, amount, gas_cost, accepted_at from payout where accepted_at > ?`,
      at,
    );
  }

  /**
   * Gives payouts the next nonces. A payout that has one keeps it.
   * @param nonceMin the chain's next nonce: others may have used some
   */
  accept(payouts: readonly AcceptedPayout[], nonceMin: number, now: number): void {
    this.#inTransaction(() => {
      const [last] = this.#all<{ next: number }>(
        'select coalesce(max(nonce) + 1, 0) as next from payout',
      );
      let nonce = Math.max(nonceMin, last?.next ?? 0);
      const insert = this.#db.prepare(
        `insert into payout (id, document_hash, document, currency, address, amount, gas, gas_cost,
           nonce, accepted_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
      );
      for (const p of payouts) {
        const { changes } = insert.run(
          ...[p.id, p.document_hash, p.document, p.currency, p.address, p.amount],
          ...[p.gas, p.gas_cost, nonce, now],
        );
        if (changes === 0) continue;
        nonce++;
        this.heads.takeHold(p.hold_step, p.id);
      }
    });
  }

  listUnsigned(): StoredPayout[] {
    return this.#all<StoredPayout>(
      `select * from payout where is_done = 0
         and not exists (select 1 from signed where payout_id = payout.id) order by nonce`,
    );
  }

  addSigned(transactions: readonly SignedTransaction[]): void {
    this.#inTransaction(() => {
      const insert = this.#db.prepare(
        `insert into signed (payout_id, tx_hash, raw, max_fee, priority_fee, signed_at)
         values (?, ?, ?, ?, ?, ?) on conflict (tx_hash) do nothing`,
      );
      for (const t of transactions)
        insert.run(t.payout_id, t.tx_hash, t.raw, t.max_fee, t.priority_fee, t.signed_at);
    });
  }

  /** Transactions that the service or the chain may not know yet, with their nonces. */
  listUnpublished(limit: number): (SignedTransaction & Pick<StoredPayout, 'nonce' | 'is_void'>)[] {
    return this.#all(
      `select signed.*, nonce, is_void from signed join payout on payout.id = payout_id
       where is_published = 0 order by nonce, signed.rowid limit ?`,
      limit,
    );
  }

  markPublished(hashes: readonly string[]): void {
    this.#inTransaction(() => {
      const update = this.#db.prepare('update signed set is_published = 1 where tx_hash = ?');
      for (const hash of hashes) update.run(hash);
    });
  }

  /**
   * Takes up payouts again whose nonces the chain has no longer used: a reorganisation was deeper
   * than what is taken as final.
   * @returns how many
   */
  reopen(nonceMin: number): number {
    const update = 'update payout set is_done = 0 where is_done = 1 and nonce >= ?';
    return Number(this.#db.prepare(update).run(nonceMin).changes);
  }

  /** Payouts whose transactions are not final, by their nonces. */
  listOpen(): StoredPayout[] {
    return this.#all<StoredPayout>('select * from payout where is_done = 0 order by nonce');
  }

  /** Newest first: the first one replaced the others. */
  listSigned(payoutId: number): StoredTransaction[] {
    return this.#all<StoredTransaction>(
      'select * from signed where payout_id = ? order by signed_at desc, rowid desc',
      payoutId,
    );
  }

  /**
   * Gives a payout up of which nothing was sent. Its nonce is used by a transaction that pays
   * nothing, or the nonces after it would wait for ever.
   */
  giveUp(id: number): void {
    this.#inTransaction(() => {
      const sent = 'select 1 from signed where payout_id = ? and is_published = 1';
      if (this.#all(sent, id).length > 0)
        throw new Error(`payout ${id} was taken back, and its transaction was sent`);
      this.#db.prepare('delete from signed where payout_id = ?').run(id);
      this.#db.prepare('update payout set is_void = 1 where id = ?').run(id);
    });
  }

  markDone(ids: readonly number[]): void {
    this.#inTransaction(() => {
      const update = this.#db.prepare('update payout set is_done = 1 where id = ?');
      for (const id of ids) update.run(id);
    });
  }

  close(): void {
    this.#db.close();
  }
}
