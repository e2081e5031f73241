/** The accounts of an archive: entries without gaps, and each balance from the one before it. */
import { LargeMap } from '../../lib/large-map.ts';
import type { ReadTransfer } from '../verify/read-sealed.ts';

interface Entry {
  readonly seq: number;
  readonly change: bigint;
  readonly balanceAfter: bigint;
}

/** The entries that were taken, from the first to the last one. */
interface Account {
  firstSeq: number;
  opening: bigint;
  lastSeq: number;
  closing: bigint;
  /** By number: entries of the same millisecond may stand in another order. */
  readonly waiting: Map<number, Entry>;
}

/** Takes what is wrong with a row. */
export type Report = (row: string, detail: string) => void;

/** Takes what follows the last entry, or stands before the first one. */
function extend(account: Account, report: (seq: number) => void): void {
  const { waiting } = account;
  for (;;) {
    const after = waiting.get(account.lastSeq + 1);
    const before = waiting.get(account.firstSeq - 1);
    if (after) {
      if (account.closing + after.change !== after.balanceAfter) report(after.seq);
      account.lastSeq = after.seq;
      account.closing = after.balanceAfter;
      waiting.delete(after.seq);
    } else if (before) {
      if (before.balanceAfter !== account.opening) report(before.seq);
      account.firstSeq = before.seq;
      account.opening = before.balanceAfter - before.change;
      waiting.delete(before.seq);
    } else return;
  }
}

/** Memory grows with the accounts, not with their entries. */
export class AccountBooks {
  readonly #accounts = new LargeMap<string, Account>();

  get size(): number {
    return this.#accounts.size;
  }

  add({ id, amount, currency, debit, credit }: ReadTransfer, report: Report): void {
    for (const [entry, change] of [
      [debit, -amount],
      [credit, amount],
    ] as const) {
      const { walletId, seq, balanceAfter } = entry;
      this.#take(`${walletId} ${currency.code}`, { seq, change, balanceAfter }, (detail) =>
        report(`transfer ${id}`, detail),
      );
    }
  }

  #take(name: string, entry: Entry, report: (detail: string) => void): void {
    const account = this.#accounts.get(name);
    if (!account) {
      this.#accounts.set(name, {
        firstSeq: entry.seq,
        opening: entry.balanceAfter - entry.change,
        lastSeq: entry.seq,
        closing: entry.balanceAfter,
        waiting: new Map(),
      });
      return;
    }
    const isTaken = entry.seq >= account.firstSeq && entry.seq <= account.lastSeq;
    if (isTaken || account.waiting.has(entry.seq))
      report(`has entry ${entry.seq} of account ${name} again`);
    else {
      account.waiting.set(entry.seq, entry);
      extend(account, (seq) => report(`or entry ${seq} of account ${name} has another balance`));
    }
  }

  /** Reports the gaps between entries, at the end of a file. */
  finish(report: Report): void {
    for (const [name, { lastSeq, waiting }] of this.#accounts)
      if (waiting.size > 0) {
        report(`account ${name}`, `lacks entries behind its entry ${lastSeq}`);
        waiting.clear();
      }
  }
}
