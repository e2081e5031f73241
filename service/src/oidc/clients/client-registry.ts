/**
 * The clients and resource servers in memory: read at first use, after each change, and every few
 * seconds in case a notification was lost. A client that is missing here may have just been created
 * at another instance, so it is looked up in the database.
 */
import type { Database } from '../../db/index.ts';
import { createCallBatcher } from '../../lib/call-batcher.ts';
import type { SigningAlgorithm } from '../keys/index.ts';
import { listResourceServers, type ResourceServer } from '../resource-servers/resource-server.ts';
import { followClientChanges } from './client-change-feed.ts';
import { findEnabledClients, listClients } from './queries.ts';
import type { Client } from './types.ts';

const FRESH_MS = 5000;
/** Client ids that one statement looks up. */
const LOOKUP_IDS_MAX = 100;

export interface ClientRegistry {
  start(): Promise<void>;
  /** An enabled client. */
  find(clientId: string): Promise<Client | undefined>;
  /** True for the origin of a redirect URI of an enabled client. */
  isOrigin(origin: string): Promise<boolean>;
  /** What ID tokens of enabled clients are signed with, RS256 apart. */
  listAlgorithms(): Promise<ReadonlySet<SigningAlgorithm>>;
  /** The enabled resource servers, by audience. */
  resourceServers(): Promise<ReadonlyMap<string, ResourceServer>>;
}

interface Snapshot {
  readonly clients: ReadonlyMap<string, Client>;
  readonly origins: ReadonlySet<string>;
  readonly algorithms: ReadonlySet<SigningAlgorithm>;
  readonly resourceServers: ReadonlyMap<string, ResourceServer>;
  readonly readAt_ms: number;
}

function originOf(uri: string): string {
  return URL.parse(uri)?.origin ?? 'null';
}

async function readSnapshot(database: Database, readAt_ms: number): Promise<Snapshot> {
  const [all, resourceServers] = await Promise.all([
    listClients(database),
    listResourceServers(database),
  ]);
  const clients = all.filter((client) => client.isEnabled);
  return {
    clients: new Map(clients.map((client) => [client.clientId, client])),
    origins: new Set(
      clients
        .flatMap((client) => client.redirectUris.map(originOf))
        .filter((origin) => origin !== 'null'),
    ),
    algorithms: new Set(
      clients.flatMap(({ metadata }) => metadata?.id_token_signed_response_alg ?? []),
    ),
    resourceServers: new Map(
      resourceServers
        .filter(({ isEnabled }) => isEnabled)
        .map((resourceServer) => [resourceServer.audience, resourceServer]),
    ),
    readAt_ms,
  };
}

export function createClientRegistry(database: Database): ClientRegistry {
  let reading: Promise<Snapshot> | undefined;
  let readAt_ms = Number.NEGATIVE_INFINITY;

  function snapshot(): Promise<Snapshot> {
    const now_ms = performance.now();
    if (reading && now_ms - readAt_ms < FRESH_MS) return reading;
    readAt_ms = now_ms;
    const next = readSnapshot(database, readAt_ms);
    reading = next;
    next.catch(() => {
      if (reading === next) reading = undefined;
    });
    return next;
  }

  const forget = (): void => {
    reading = undefined;
  };

  /** Limits the load of a flood of unknown ids: one statement at a time, by primary key. */
  const lookUp = createCallBatcher<string, Client | undefined>({
    concurrencyMax: 1,
    sizeMax: LOOKUP_IDS_MAX,
    async run(clientIds) {
      const found = await findEnabledClients(database, [...new Set(clientIds)]);
      if (found.length > 0) forget();
      return clientIds.map((clientId) => found.find((client) => client.clientId === clientId));
    },
  });

  async function find(clientId: string): Promise<Client | undefined> {
    const known = (await snapshot()).clients.get(clientId);
    // PostgreSQL rejects NUL in text, so no client id contains it.
    return known ?? (clientId.includes('\0') ? undefined : lookUp.submit(clientId));
  }

  return {
    start: () => followClientChanges(database, forget),
    find,
    isOrigin: async (origin) => (await snapshot()).origins.has(origin),
    listAlgorithms: async () => (await snapshot()).algorithms,
    resourceServers: async () => (await snapshot()).resourceServers,
  };
}
