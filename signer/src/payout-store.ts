/**
 * What signers of all kinds of chains keep: payouts, their transactions, refused documents, the
 * ledger's head, and the passkeys of owners. One process has the file open.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { DocumentStore } from './document-store.ts';
import { HeadStore } from './head-store.ts';
import { OwnerStore, type SignedOrder } from './owner-store.ts';

type Value = string | number;

export interface AcceptedPayout {
  readonly id: number;
  readonly document_hash: string;
  readonly document: string;
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  /** Step of the ledger that holds its money. */
  readonly hold_step: number;
  /** What its owner has signed, who then has a passkey. */
  readonly order?: SignedOrder;
}

export interface StoredPayout extends Omit<AcceptedPayout, 'hold_step' | 'order'> {
  readonly accepted_at: number;
  /** 1: taken back by operators; it pays nothing. */
  readonly is_void: 0 | 1;
}

export interface SignedTransaction {
  readonly payout_id: number;
  readonly tx_hash: string;
  readonly raw: string;
  readonly signed_at: number;
}

export type Stored<Signed> = Signed & {
  /** 1: the service knows it, and the chain was given it. */
  readonly is_published: 0 | 1;
};

export interface Spent {
  readonly id: number;
  readonly currency: string;
  readonly address: string;
  readonly amount: string;
  readonly gas_cost: string;
  readonly accepted_at: number;
}

/** What differs by the kind of chain, as SQL. */
export interface StoreKind {
  /** Columns of their own of the tables. */
  readonly signer: string;
  readonly payout: string;
  readonly signed: string;
  /** More tables. */
  readonly more: string;
  /** The column of a payout by which payouts are listed. */
  readonly order: 'id' | 'nonce';
  /** The column of a payout with the most that its transactions may cost. */
  readonly cost: 'fee_max' | 'gas_cost';
}

const toSchema = ({ signer, payout, signed, more, order }: StoreKind): string => `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma locking_mode = exclusive;
  create table if not exists signer (
    name text not null primary key, address text not null, ${signer});
  create table if not exists payout (
    id integer not null primary key,
    document_hash text not null unique,
    document text not null,
    currency text not null,
    address text not null,
    amount text not null,
    ${payout},
    accepted_at integer not null,
    -- 1: paid; 2: it cannot be paid any more.
    is_done integer not null default 0,
    -- Taken back by operators before anything was sent.
    is_void integer not null default 0) strict;
  create index if not exists payout_open on payout (${order}) where is_done = 0;
  create index if not exists payout_accepted on payout (accepted_at);
  create table if not exists signed (
    payout_id integer not null references payout (id),
    tx_hash text not null primary key,
    raw text not null,
    ${signed},
    signed_at integer not null,
    is_published integer not null default 0) strict;
  create index if not exists signed_payout on signed (payout_id, signed_at);
  create index if not exists signed_at on signed (signed_at);
  create index if not exists signed_unpublished on signed (payout_id) where is_published = 0;
  ${more}
`;

export abstract class PayoutStore<Payout extends StoredPayout, Signed extends SignedTransaction> {
  readonly #db: DatabaseSync;
  readonly #kind: StoreKind;
  readonly #statements = new Map<string, StatementSync>();
  /** Names this state at the service: what it has taken, no other signer gets. */
  readonly name: string;
  readonly heads: HeadStore;
  readonly documents: DocumentStore;
  readonly owners: OwnerStore;

  /** @throws Error for a file of another key or chain, or one that another process has open */
  constructor(path: string, kind: StoreKind, identity: Readonly<Record<string, Value>>) {
    this.#kind = kind;
    this.#db = new DatabaseSync(path);
    this.#db.exec(toSchema(kind));
    this.heads = new HeadStore(this.#db);
    this.documents = new DocumentStore(this.#db);
    this.owners = new OwnerStore(this.#db);
    const read = () => this.all<Record<string, Value>>('select * from signer')[0];
    if (!read()) this.insert('signer', [{ name: randomBytes(12).toString('hex'), ...identity }]);
    const row = read();
    if (Object.entries(identity).some(([name, value]) => row?.[name] !== value))
      throw new Error('the state belongs to another key or chain');
    this.name = String(row?.name);
  }

  /** Each text is prepared once: there are few of them, and many calls. */
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  protected all<T>(sql: string, ...values: readonly Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  /** @returns how many rows it changed */
  protected run(sql: string, ...values: readonly (Value | null)[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Inserts rows that have the same columns. */
  protected insert(table: string, rows: readonly object[], onConflict = ''): void {
    const columns = Object.keys(rows[0] ?? {});
    if (columns.length === 0) return;
    const values = columns.map((name) => `:${name}`);
    const statement = this.#prepare(
      `insert into ${table} (${columns}) values (${values}) ${onConflict}`,
    );
    for (const row of rows) statement.run({ ...row });
  }

  protected inTransaction(work: () => void): void {
    this.#db.exec('begin immediate');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  /** Writes payouts that the state does not have, in the transaction of the caller. */
  protected insertPayouts(
    payouts: readonly (Omit<Payout, 'accepted_at' | 'is_void'> & AcceptedPayout)[],
    now: number,
  ): void {
    this.insert(
      'payout',
      payouts.map(({ hold_step: _step, order: _order, ...p }) => ({ ...p, accepted_at: now })),
    );
    for (const { id, hold_step, order } of payouts) {
      this.heads.takeHold(hold_step, id);
      if (order) this.owners.keep(id, order);
    }
  }

  /** True when it has accepted nothing yet. */
  get isEmpty(): boolean {
    return this.all('select 1 from payout limit 1').length === 0;
  }

  /** When it has accepted a payout last, in milliseconds; 0: never. */
  get lastAcceptedAt(): number {
    return (
      this.all<{ at: number }>('select coalesce(max(accepted_at), 0) as at from payout')[0]?.at ?? 0
    );
  }

  find(id: number): Payout | undefined {
    return this.all<Payout>('select * from payout where id = ?', id)[0];
  }

  /** What was accepted or signed again since an instant, in milliseconds. */
  listSpentSince(at: number): Spent[] {
    return this.all<Spent>(
      `select id, currency, address, amount, ${this.#kind.cost} as gas_cost, accepted_at from payout
       where accepted_at > ? or id in (select payout_id from signed where signed_at > ?)`,
      ...[at, at],
    );
  }

  listUnsigned(): Payout[] {
    return this.all<Payout>(
      `select * from payout where is_done = 0
         and not exists (select 1 from signed where payout_id = payout.id)
       order by ${this.#kind.order}`,
    );
  }

  addSigned(transactions: readonly Signed[]): void {
    this.inTransaction(() => {
      this.insert('signed', transactions, 'on conflict (tx_hash) do nothing');
      for (const transaction of transactions) this.noteCost(transaction);
    });
  }

  /** A transaction may cost more than the one before it that it replaces. */
  protected abstract noteCost(transaction: Signed): void;

  /** Transactions that the service or the chain may not know yet, with what their payouts say. */
  listUnpublished(limit: number): (Signed & Payout)[] {
    return this.all(
      `select payout.*, signed.* from signed join payout on payout.id = payout_id
       where is_published = 0 order by payout.${this.#kind.order}, signed.rowid limit ?`,
      limit,
    );
  }

  markPublished(hashes: readonly string[]): void {
    this.inTransaction(() => {
      for (const hash of hashes)
        this.run('update signed set is_published = 1 where tx_hash = ?', hash);
    });
  }

  /** Payouts whose transactions are not final. */
  listOpen(): Payout[] {
    return this.all<Payout>(`select * from payout where is_done = 0 order by ${this.#kind.order}`);
  }

  /** Newest first: the first one replaced the others. */
  listSigned(payoutId: number): Stored<Signed>[] {
    return this.all('select * from signed where payout_id = ? order by rowid desc', payoutId);
  }

  markDone(ids: readonly number[]): void {
    this.inTransaction(() => {
      for (const id of ids) this.run('update payout set is_done = 1 where id = ?', id);
    });
  }

  /** What a payout had is free again, where the chain has not seen it. */
  protected abstract free(id: number): void;

  /** Gives a payout up of which nothing was sent. */
  giveUp(id: number): void {
    this.inTransaction(() => {
      const sent = 'select 1 from signed where payout_id = ? and is_published = 1';
      if (this.all(sent, id).length > 0)
        throw new Error(`payout ${id} was taken back, and its transaction was sent`);
      this.run('delete from signed where payout_id = ?', id);
      this.run('update payout set is_void = 1 where id = ?', id);
      this.free(id);
    });
  }

  close(): void {
    this.#db.close();
  }
}
