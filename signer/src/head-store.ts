/** What every signer keeps of the ledger: its last head, and the money that payouts have taken. */
import type { DatabaseSync } from 'node:sqlite';
import type { Taken } from './service-client.ts';
import { type Head, type HeadConfig, parseHead, verifyHead } from './verify-head.ts';

const SCHEMA = `
  create table if not exists head (
    only integer not null primary key check (only = 1), body text not null) strict;
  create table if not exists hold (
    step integer not null primary key, payout_id integer not null unique) strict;
`;

export class HeadStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SCHEMA);
  }

  #readBody(): string | undefined {
    return this.#db.prepare('select body from head').get()?.body as string | undefined;
  }

  /** The last entry of the log of decisions that was seen: the service must still have it. */
  get decisionPosition(): number | undefined {
    const body = this.#readBody();
    return body === undefined ? undefined : parseHead(body).decisions?.last.position;
  }

  /**
   * Takes the head that came with payouts as the last one.
   * @throws HeadError unless it follows the one before
   */
  accept(taken: Taken, config: HeadConfig, now: number): Head {
    const before = this.#readBody();
    const head = verifyHead(taken, { config, before, now });
    this.#db
      .prepare(
        'insert into head values (1, ?) on conflict (only) do update set body = excluded.body',
      )
      .run(taken.head?.body ?? '');
    return head;
  }

  /** True when a payout has this money. */
  isHoldTaken(step: number): boolean {
    return this.#db.prepare('select 1 from hold where step = ?').get(step) !== undefined;
  }

  /** Gives a payout its money for ever; in the transaction that accepts it. */
  takeHold(step: number, payoutId: number): void {
    this.#db.prepare('insert into hold (step, payout_id) values (?, ?)').run(step, payoutId);
  }
}
