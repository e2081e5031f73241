/**
 * The durable state of a signer of the Bitcoin family. The coins of a payout are written before it
 * is signed: all its transactions spend the same coins, and one of them at most is paid.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { HeadStore } from '../head-store.ts';
import type { Spent } from '../state.ts';
import type { Coin, Outpoint, Tip } from './node.ts';

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma locking_mode = exclusive;
  create table if not exists signer (
    name text not null primary key, address text not null, tip text);
  create table if not exists payout (
    id integer not null primary key,
    document_hash text not null unique,
    document text not null,
    currency text not null,
    address text not null,
    amount text not null,
    fee_max text not null,
    accepted_at integer not null,
    conflict_hash text,
    conflict_height integer,
    -- 1: paid; 2: it cannot be paid any more.
    is_done integer not null default 0,
    -- Taken back by operators before anything was sent.
    is_void integer not null default 0) strict;
  create index if not exists payout_open on payout (id) where is_done = 0;
  create index if not exists payout_accepted on payout (accepted_at);
  create table if not exists coin (
    txid text not null,
    vout integer not null,
    amount text not null,
    payout_id integer not null references payout (id),
    position integer not null,
    primary key (txid, vout)) strict;
  create index if not exists coin_payout on coin (payout_id, position);
  create table if not exists signed (
    payout_id integer not null references payout (id),
    tx_hash text not null primary key,
    psbt text not null,
    raw text not null,
    rate integer not null,
    fee text not null,
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
  /** Most that its transaction may cost. */
  readonly fee_max: string;
  readonly coins: readonly Coin[];
  /** Step of the ledger that holds its money. */
  readonly hold_step: number;
}

export interface StoredPayout extends Omit<AcceptedPayout, 'coins' | 'hold_step'> {
  readonly accepted_at: number;
  /** The block at which another transaction was seen to have spent a coin. */
  readonly conflict_hash: string | null;
  readonly conflict_height: number | null;
  /** 1: taken back by operators; nothing of it is sent. */
  readonly is_void: 0 | 1;
}

export interface SignedTransaction {
  readonly payout_id: number;
  readonly tx_hash: string;
  readonly psbt: string;
  readonly raw: string;
  /** Smallest coins a virtual byte. */
  readonly rate: number;
  readonly fee: string;
  readonly signed_at: number;
}

export interface StoredTransaction extends SignedTransaction {
  /** 1: the service knows it, and the chain was given it. */
  readonly is_published: 0 | 1;
}

export class UtxoState {
  readonly #db: DatabaseSync;
  /** Names this state at the service: what it has taken, no other signer gets. */
  readonly name: string;
  readonly heads: HeadStore;

  /** @throws Error for a file of another key or chain, or one that another process has open */
  constructor(path: string, address: string) {
    this.#db = new DatabaseSync(path);
    this.#db.exec(SCHEMA);
    this.heads = new HeadStore(this.#db);
    const insert = 'insert into signer select ?, ?, null where not exists (select 1 from signer)';
    this.#db.prepare(insert).run(randomBytes(12).toString('hex'), address);
    const row = this.#db.prepare('select * from signer').get();
    if (row?.address !== address) throw new Error('the state belongs to another key or chain');
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

  find(id: number): StoredPayout | undefined {
    return this.#all<StoredPayout>('select * from payout where id = ?', id)[0];
  }

  /** What was accepted since an instant, in milliseconds. */
  listSpentSince(at: number): Spent[] {
    return this.#all<Spent>(
      `select currency, address, amount, fee_max as gas_cost, accepted_at from payout
       where accepted_at > ?`,
      at,
    );
  }

  /** True for a coin that a payout has. */
  isTaken({ txid, vout }: Outpoint): boolean {
    return this.#all('select 1 from coin where txid = ? and vout = ?', txid, vout).length > 0;
  }

  /** Gives payouts their coins, for ever. @throws Error when another payout has one of them */
  accept(payouts: readonly AcceptedPayout[], now: number): void {
    this.#inTransaction(() => {
      const insert = this.#db.prepare(
        `insert into payout (id, document_hash, document, currency, address, amount, fee_max,
           accepted_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      const take = this.#db.prepare(
        'insert into coin (txid, vout, amount, payout_id, position) values (?, ?, ?, ?, ?)',
      );
      for (const p of payouts) {
        insert.run(
          ...[p.id, p.document_hash, p.document, p.currency, p.address, p.amount, p.fee_max],
          now,
        );
        for (const [at, { txid, vout, amount }] of p.coins.entries())
          take.run(txid, vout, String(amount), p.id, at);
        this.heads.takeHold(p.hold_step, p.id);
      }
    });
  }

  /** The coins of a payout, in their order in its transactions. */
  listCoins(payoutId: number): Coin[] {
    return this.#all<Outpoint & { amount: string }>(
      'select txid, vout, amount from coin where payout_id = ? order by position',
      payoutId,
    ).map((coin) => ({ ...coin, amount: BigInt(coin.amount) }));
  }

  listUnsigned(): StoredPayout[] {
    return this.#all<StoredPayout>(
      `select * from payout where is_done = 0
         and not exists (select 1 from signed where payout_id = payout.id) order by id`,
    );
  }

  addSigned(transactions: readonly SignedTransaction[]): void {
    this.#inTransaction(() => {
      const insert = this.#db.prepare(
        `insert into signed (payout_id, tx_hash, psbt, raw, rate, fee, signed_at)
         values (?, ?, ?, ?, ?, ?, ?) on conflict (tx_hash) do nothing`,
      );
      for (const t of transactions)
        insert.run(t.payout_id, t.tx_hash, t.psbt, t.raw, t.rate, t.fee, t.signed_at);
    });
  }

  /** Transactions that the service or the chain may not know yet. */
  listUnpublished(limit: number): SignedTransaction[] {
    return this.#all('select * from signed where is_published = 0 order by rowid limit ?', limit);
  }

  markPublished(hashes: readonly string[]): void {
    this.#inTransaction(() => {
      const update = this.#db.prepare('update signed set is_published = 1 where tx_hash = ?');
      for (const hash of hashes) update.run(hash);
    });
  }

  /** Payouts whose transactions are not final. */
  listOpen(): StoredPayout[] {
    return this.#all<StoredPayout>('select * from payout where is_done = 0 order by id');
  }

  /** Newest first. */
  listSigned(payoutId: number): StoredTransaction[] {
    return this.#all<StoredTransaction>(
      'select * from signed where payout_id = ? order by rowid desc',
      payoutId,
    );
  }

  /** The block at which payouts were looked at last. */
  readTip(): string | undefined {
    return this.#all<{ tip: string | null }>('select tip from signer')[0]?.tip ?? undefined;
  }

  noteTip(hash: string): void {
    this.#db.prepare('update signer set tip = ? where tip is not ?').run(hash, hash);
  }

  /** Takes up paid payouts again: the chain has replaced blocks. */
  reopenSince(at: number): void {
    this.#db.prepare('update payout set is_done = 0 where is_done = 1 and accepted_at > ?').run(at);
  }

  noteConflict(payoutId: number, tip: Tip | undefined): void {
    this.#db
      .prepare('update payout set conflict_hash = ?, conflict_height = ? where id = ?')
      .run(tip?.hash ?? null, tip?.height ?? null, payoutId);
  }

  markDone(ids: readonly number[]): void {
    this.#inTransaction(() => {
      const update = this.#db.prepare('update payout set is_done = 1 where id = ?');
      for (const id of ids) update.run(id);
    });
  }

  /** Ends a payout that cannot be paid any more; its coins that are not spent are free again. */
  markLost(payoutId: number, unspent: readonly Outpoint[]): void {
    this.#inTransaction(() => {
      this.#db.prepare('update payout set is_done = 2 where id = ?').run(payoutId);
      const free = this.#db.prepare('delete from coin where txid = ? and vout = ?');
      for (const { txid, vout } of unspent) free.run(txid, vout);
    });
  }

  /** Gives a payout up of which nothing was sent; its coins are free again. */
  giveUp(id: number): void {
    this.#inTransaction(() => {
      const sent = 'select 1 from signed where payout_id = ? and is_published = 1';
      if (this.#all(sent, id).length > 0)
        throw new Error(`payout ${id} was taken back, and its transaction was sent`);
      for (const table of ['signed', 'coin'])
        this.#db.prepare(`delete from ${table} where payout_id = ?`).run(id);
      this.#db.prepare('update payout set is_void = 1, is_done = 2 where id = ?').run(id);
    });
  }

  close(): void {
    this.#db.close();
  }
}
