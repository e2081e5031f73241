/** What a request has read from a standby: its later reads see no less. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PrimaryPosition } from './primary-positions.ts';

export interface ReadScope {
  /** What a standby must have to answer; absent until the first read. */
  position?: Promise<PrimaryPosition>;
  /** The standby that has answered. */
  standby?: string;
  /** The primary has answered, or the request is over: no standby answers any more. */
  isOnPrimary: boolean;
}

const scopes = new AsyncLocalStorage<ReadScope>();

/** Where the work that calls this may read; undefined: from the primary. */
export function currentReadScope(): ReadScope | undefined {
  return scopes.getStore();
}

/**
 * Runs `work` so that its reads outside of transactions may be answered by a standby.
 * @returns ends that: timers and tasks that outlive the request read from the primary
 */
export function runInReadScope(work: () => void): () => void {
  const scope: ReadScope = { isOnPrimary: false };
  scopes.run(scope, work);
  return () => {
    scope.isOnPrimary = true;
  };
}

/**
 * Runs `work`, which reads what a standby does not have: tables that are not logged. Reads after it
 * see no less than it did.
 */
export async function readFromPrimary<T>(work: () => Promise<T>): Promise<T> {
  const scope = currentReadScope();
  if (!scope) return work();
  const value = await scopes.exit(work);
  delete scope.position;
  return value;
}

/**
 * The same pieces, read where the caller reads. A stream asks for its next piece when the socket
 * has room, and would then read from the primary.
 */
export function keepReadScope<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  const inScope = AsyncLocalStorage.snapshot();
  async function* read(): AsyncGenerator<T> {
    try {
      for (;;) {
        const piece = await inScope(() => iterator.next());
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return read();
}
