/** What a signer keeps of documents that it did not pay: an approval ends with its document. */
import type { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  create table if not exists refused_document (
    hash text not null primary key, reason text not null) strict;
  -- The newest document seen of a payout that had more than one.
  create table if not exists newest_document (
    payout_id integer not null primary key, attempt integer not null) strict;
`;

export class DocumentStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
  }

  /** Why a document was refused; undefined: it was not. */
  findRefusal(hash: string): string | undefined {
    const sql = 'select reason from refused_document where hash = ?';
    return this.#db.prepare(sql).get(hash)?.reason as string | undefined;
  }

  /** The first reason stays. */
  refuse(hash: string, reason: string): void {
    const sql = 'insert into refused_document values (?, ?) on conflict (hash) do nothing';
    this.#db.prepare(sql).run(hash, reason);
  }

  /** @returns false for a document that is older than another one of the payout */
  see(payoutId: number, attempt: number): boolean {
    const sql = 'select attempt from newest_document where payout_id = ?';
    const newest = Number(this.#db.prepare(sql).get(payoutId)?.attempt ?? 1);
    if (attempt > newest)
      this.#db
        .prepare(
          `insert into newest_document values (?, ?)
           on conflict (payout_id) do update set attempt = excluded.attempt`,
        )
        .run(payoutId, attempt);
    return attempt >= newest;
  }
}
