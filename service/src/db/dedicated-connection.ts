/** The one connection beside the pool: it listens, holds the locks of this process, and comes back by itself. */
import pg from 'pg';
import { ADVISORY_LOCKS, SESSION_LOCK } from './advisory-locks.ts';
import type { Unlock } from './types.ts';

const RECONNECT_MS = 250;

export function createSideConnection(url: string, onError: (error: Error) => void) {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const gapHandlers: (() => void)[] = [];
  /** PostgreSQL would give the same connection the same lock again. */
  const held = new Set<string>();
  let client: pg.Client | undefined;
  let last: Promise<unknown> | undefined;
  let closed = false;

  async function open(isFirst: boolean): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'edge-account listen',
    });
    next.on('error', onError);
    next.on('notification', ({ channel, payload = '' }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload);
    });
    next.once('end', () => {
      if (client !== next) return;
      client = undefined;
      if (!closed) reopenLater();
    });
    try {
      await next.connect();
      for (const channel of handlers.keys())
        await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      // The next try makes another: this one must not stay open behind it.
      await next.end().catch(onError);
      throw error;
    }
    client = next;
    if (!isFirst) for (const handler of gapHandlers) handler();
  }

  function reopenLater(): void {
    setTimeout(() => {
      if (closed) return;
      inTurn(() => open(false)).catch((error: Error) => {
        onError(error);
        reopenLater();
      });
    }, RECONNECT_MS).unref();
  }

  /** One statement at a time: the driver does not queue them for us. The first to come opens the connection. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = last === undefined ? open(true) : last.catch(() => {});
    const turn = before.then(work);
    last = turn;
    return turn;
  }

  return {
    listen(channel: string, handler: (payload: string) => void): Promise<void> {
      const known = handlers.get(channel);
      handlers.set(channel, [...(known ?? []), handler]);
      return inTurn(async () => {
        if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`);
      });
    },
    tryLock(name: string): Promise<Unlock | undefined> {
      return inTurn(async () => {
        const holder = client;
        if (!holder || held.has(name)) return undefined;
        const { rows } = await holder.query<{ locked: boolean }>(SESSION_LOCK.try, [
          name,
          ADVISORY_LOCKS.job.seed,
        ]);
        if (!rows[0]?.locked) return undefined;
        held.add(name);
        return () =>
          inTurn(async () => {
            held.delete(name);
            // A lock ends with the connection that took it.
            if (client === holder)
              await holder.query(SESSION_LOCK.release, [name, ADVISORY_LOCKS.job.seed]);
          });
      });
    },
    onListenGap: (handler: () => void): void => {
      gapHandlers.push(handler);
    },
    async close(): Promise<void> {
      closed = true;
      await client?.end();
    },
  };
}
