/** The clients in memory: read at the first use, again when one changes, and every few seconds to be safe. */
import type { Database } from '../../db/index.ts';
import { listClients } from './queries.ts';
import type { Client } from './types.ts';
import { CLIENTS_CHANGED } from './write-clients.ts';

const FRESH_MS = 5000;

export interface ClientRegistry {
  start(): Promise<void>;
  /** An enabled client. */
  find(clientId: string): Promise<Client | undefined>;
  /** True for the origin of a redirect URI of an enabled client. */
  isOrigin(origin: string): Promise<boolean>;
}

interface Snapshot {
  readonly clients: ReadonlyMap<string, Client>;
  readonly origins: ReadonlySet<string>;
  readonly readAt_ms: number;
}

function originOf(uri: string): string {
  return URL.parse(uri)?.origin ?? 'null';
}

export function createClientRegistry(database: Database): ClientRegistry {
  let reading: Promise<Snapshot> | undefined;
  let readAt_ms = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Snapshot> {
    const clients = (await listClients(database)).filter((client) => client.isEnabled);
    return {
      clients: new Map(clients.map((client) => [client.clientId, client])),
      origins: new Set(clients.flatMap((client) => client.redirectUris.map(originOf)).filter((origin) => origin !== 'null')),
      readAt_ms,
    };
  }

  function snapshot(): Promise<Snapshot> {
    const now_ms = performance.now();
    if (reading && now_ms - readAt_ms < FRESH_MS) return reading;
    readAt_ms = now_ms;
    const next = read();
    reading = next;
    next.catch(() => {
      if (reading === next) reading = undefined;
    });
    return next;
  }

  const forget = (): void => {
    reading = undefined;
  };

  return {
    async start() {
      await database.listen(CLIENTS_CHANGED, forget);
      database.onListenGap(forget);
    },
    find: async (clientId) => (await snapshot()).clients.get(clientId),
    isOrigin: async (origin) => (await snapshot()).origins.has(origin),
  };
}
