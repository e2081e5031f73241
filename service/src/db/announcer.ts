/**
 * Wakes other instances after a commit. A transaction that notifies holds a lock of the whole
 * cluster while it commits, so that transactions of hot paths would commit one after another: they
 * only say here that something has changed. An announcement may be lost with its process; a
 * listener also looks by itself.
 */
import { perObject } from '../lib/per-object.ts';
import { databaseOf } from './transaction.ts';
import type { Database, Db, Transaction } from './types.ts';

/** At most one notification of a channel in this time, from one process. */
export const ANNOUNCE_EVERY_MS = 100;

class Announcer {
  readonly #database: Database;
  /** Channels of the last interval; true: announced again meanwhile. */
  readonly #channels = new Map<string, boolean>();
  readonly #handlers = new Map<string, (() => void)[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  onAnnounced(channel: string, handler: () => void): void {
    this.#handlers.set(channel, [...(this.#handlers.get(channel) ?? []), handler]);
  }

  announce(channel: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler();
    if (this.#channels.has(channel)) this.#channels.set(channel, true);
    else this.#notify(channel);
  }

  #notify(channel: string): void {
    this.#channels.set(channel, false);
    // Who listens looks by itself before long.
    this.#database.prepared('announce', "select pg_notify($1, '')", [channel]).catch(() => {});
    setTimeout(() => {
      const isWaiting = this.#channels.get(channel) === true;
      this.#channels.delete(channel);
      if (isWaiting) this.#notify(channel);
    }, ANNOUNCE_EVERY_MS).unref();
  }
}

const announcerOf = perObject((database: Database) => new Announcer(database));

/**
 * Notifies a channel, without a payload: inside a transaction after its commit, otherwise now.
 * Calls that follow within `ANNOUNCE_EVERY_MS` share the next notification.
 */
export function announce(db: Db, channel: string): void {
  const announcer = announcerOf(databaseOf(db));
  if (db.isTransaction) (db as Transaction).afterCommit(() => announcer.announce(channel));
  else announcer.announce(channel);
}

/**
 * Calls `handler` at once for each announcement of this process, also for those that share a later
 * notification: a change is then known before the request that made it is answered.
 */
export function onAnnounced(database: Database, channel: string, handler: () => void): void {
  announcerOf(database).onAnnounced(channel, handler);
}
