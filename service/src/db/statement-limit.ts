/** Work whose statements have a shorter time than those of requests. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from './types.ts';

const limits = new AsyncLocalStorage<number>();

/** Runs `work`; the server ends each of its statements after so many milliseconds. */
export function limitStatements<T>(limit_ms: number, work: () => T): T {
  return limits.run(limit_ms, work);
}

export function hasStatementLimit(): boolean {
  return limits.getStore() !== undefined;
}

/** Sent before the first statement of a transaction. The embedded database ends no statement. */
export async function limitInside(tx: Transaction): Promise<void> {
  const limit_ms = limits.getStore();
  if (limit_ms !== undefined && tx.database.kind === 'server')
    await tx.query(`set local statement_timeout = ${limit_ms}`);
}
