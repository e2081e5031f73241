/** A primary with a standby that follows it, and the service on both. */
import {
  type Cluster,
  openPostgresHome,
  type PostgresHome,
  query,
} from '../../../drills/support/cluster.ts';
import { followPrimary } from '../../../drills/support/replicas.ts';
import {
  addApplicationRole,
  addReplica,
  type Database,
  migrate,
  openServer,
  type PrimaryReason,
  type Replica,
} from '../../src/db/index.ts';
import { APPLICATION_ROLE, NEW_DATABASE } from './postgres-server.ts';
import { type RunningService, startService } from './running-service.ts';
import { openSilentLine, type SilentLine } from './silent-line.ts';

const NAME = 'edge';
/** Nothing of a test outlives its machine. */
const FAST = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' };

export interface StandbyLab {
  readonly home: PostgresHome;
  readonly primary: Cluster;
  readonly standby: Cluster;
  /** Leads instances to the standby, unless it is silent. */
  readonly line: SilentLine;
  /** Runs a statement as the superuser. */
  onPrimary(text: string): Promise<Record<string, unknown>[]>;
  onStandby(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A database on the primary, and its copy on the standby, which replays without delay. */
export async function openStandbyLab(): Promise<StandbyLab> {
  const home = openPostgresHome();
  const primary = await home.create('primary', FAST);
  await query(primary.url(), `create database ${NAME} ${NEW_DATABASE}`);
  await query(primary.url(), `create role ${APPLICATION_ROLE} login`);
  const owner = await openServer({ url: primary.url(NAME), poolSize: 4, onError: () => {} });
  await migrate(owner);
  await addApplicationRole(owner, APPLICATION_ROLE);
  await owner.close();
  const standby = await followPrimary(home, primary, { settings: FAST });
  const line = await openSilentLine({ host: '127.0.0.1', port: standby.port });
  return {
    ...{ home, primary, standby, line },
    onPrimary: (text) => query(primary.url(NAME), text),
    onStandby: (text) => query(standby.url(NAME), text),
    async close() {
      await line.close();
      await home.remove();
    },
  };
}

export interface ReplicaInstance {
  readonly database: Database;
  readonly replica: Replica;
  readonly service: RunningService;
  /** Its own address: `baseUrl` of the service is that of all instances. */
  readonly address: string;
  /** Who answered how many reads of requests so far. */
  readonly answered: Map<'standby' | PrimaryReason, number>;
  stop(): Promise<void>;
}

/** An address of the lab's database as an application role. */
export function applicationUrl(port: number): string {
  return `postgres://${APPLICATION_ROLE}@127.0.0.1:${port}/${NAME}`;
}

interface Ports {
  readonly primary: number;
  readonly standby: number;
}

/** The database of an instance that reads from a standby. */
export async function openReplicated(
  ports: Ports,
): Promise<Database & { readonly replica: Replica }> {
  const primaryUrl = applicationUrl(ports.primary);
  const onError = (): void => {};
  const primary = await openServer({ url: primaryUrl, poolSize: 8, onError });
  const url = applicationUrl(ports.standby);
  return addReplica(primary, { url, primaryUrl, poolSize: 8, onError });
}

/** An instance in this process, with connections of its own. */
export async function startInstance(
  ports: Ports,
  env: Record<string, string> = {},
): Promise<ReplicaInstance> {
  const database = await openReplicated(ports);
  const { replica } = database;
  const answered: ReplicaInstance['answered'] = new Map();
  replica.onRead((by) => answered.set(by, (answered.get(by) ?? 0) + 1));
  const service = await startService(database, { env: { LOG_LEVEL: 'silent', ...env } });
  return {
    ...{ database, replica, service, answered },
    address: `http://localhost:${service.config.PORT}`,
    async stop() {
      await service.stop();
      await database.close();
    },
  };
}
