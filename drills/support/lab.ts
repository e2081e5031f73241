/** Instances as processes, on a database with the two roles of docs/operations.md. */
import { randomBytes } from 'node:crypto';
import { type LivePerson, signUp } from '../../service/test/support/live-person.ts';
import { findFreePort, NEW_DATABASE } from '../../service/test/support/postgres-server.ts';
import {
  runCommand,
  type ServiceProcess,
  startService,
} from '../../service/test/support/service-process.ts';
import type { DrillReport } from '../harness/drill.ts';
import { type DatabaseAddress, query } from './cluster.ts';

export const DATABASE = 'edge';
export const OWNER = 'edge_owner';
export const APPLICATION = 'edge';

/** Instances may solve no challenges: all requests of a drill have one address. */
const ENV = { CHALLENGE: 'off', LOG_LEVEL: 'warn' };
const USERS = 3;

export interface Lab {
  /** One address for all: the issuer. It leads to the first instance. */
  readonly baseUrl: string;
  readonly instances: readonly ServiceProcess[];
  /** The instances' own addresses. */
  readonly addresses: readonly string[];
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Users who are signed in. */
  readonly people: readonly LivePerson[];
  /** A token of the operator's client. @param at the address that is asked */
  operatorToken(at?: string): Promise<string>;
  /** Runs a command of the command line. @throws when its exit code is another */
  command(args: readonly string[], code?: number): Promise<string>;
  /**
   * Registers a user and signs in, with codes from this database.
   * @param at the address that is asked; default: the first instance's
   */
  signUp(cluster: DatabaseAddress, at?: string): Promise<LivePerson>;
  /** The lab after its owner's address was changed to that of another cluster. */
  at(cluster: DatabaseAddress): Lab;
}

export interface LabOptions {
  readonly instances?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Added to the environment of the instance with this index. */
  envOf?(index: number): Readonly<Record<string, string>>;
  /** The port by which instances reach the database; default: the cluster's. */
  readonly databasePort?: number;
  /** The port of the issuer, where a proxy listens; default: the first instance's. */
  readonly publicPort?: number;
  /** The program of the service; default: this version's. */
  readonly main?: string;
  /** Runs on the migrated database, before anything else is there. */
  fill?(env: Lab['env']): Promise<void>;
}

const throughPort = (url: string, port: number): string => {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
};

/** The builtin provider of locales came with PostgreSQL 17. */
async function describeNewDatabase(cluster: DatabaseAddress): Promise<string> {
  const [row] = await query<{ version: number }>(
    cluster.url(),
    `select current_setting('server_version_num')::int as version`,
  );
  const hasBuiltin = (row?.version ?? 0) >= 170_000;
  return hasBuiltin ? NEW_DATABASE : "template template0 encoding 'UTF8' locale 'C.UTF-8'";
}

/** The roles and the empty database of docs/operations.md, First start on PostgreSQL. */
export async function createDatabase(cluster: DatabaseAddress): Promise<void> {
  for (const statement of [
    `create role ${OWNER} login`,
    `create role ${APPLICATION} login`,
    `create database ${DATABASE} owner ${OWNER} ${await describeNewDatabase(cluster)}`,
  ])
    await query(cluster.url(), statement);
}

/** The newest code that was mailed to an address, wherever the mail is. */
async function readCode(cluster: DatabaseAddress, email: string): Promise<string> {
  const rows = await query<{ body: string }>(
    cluster.url(DATABASE, OWNER),
    'select body from mail where recipient = $1 order by id desc limit 1',
    [email],
  );
  return /^\s*(\d{6})\s*$/m.exec(rows[0]?.body ?? '')?.[1] ?? 'none';
}

export async function runChecked(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { code = 0, main }: { code?: number; main?: string } = {},
): Promise<string> {
  const result = await runCommand(args, env, { ...(main !== undefined && { main }) });
  if (result.code !== code)
    throw new Error(
      `${args.join(' ')} ended with ${result.code}: ${result.stdout}${result.stderr}`,
    );
  return `${result.stdout}${result.stderr}`;
}

/** Asks for a token by the secret of the operator's client. */
async function fetchToken(address: string, client: Record<string, string>): Promise<string> {
  const answer = await fetch(`${address}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

interface Prepared {
  readonly ports: readonly number[];
  readonly baseUrl: string;
  /** The environment of instances, which have no owner's role. */
  readonly env: Readonly<Record<string, string>>;
}

async function prepare(cluster: DatabaseAddress, options: LabOptions): Promise<Prepared> {
  const { instances: count = 2, databasePort = cluster.port, publicPort, env } = options;
  await createDatabase(cluster);
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  const baseUrl = `http://localhost:${publicPort ?? ports[0]}`;
  const shared = {
    ...ENV,
    DATABASE_URL: throughPort(cluster.url(DATABASE, APPLICATION), databasePort),
    MASTER_KEY: randomBytes(32).toString('hex'),
    BASE_URL: baseUrl,
    ...env,
  };
  return { ports, baseUrl, env: shared };
}

/** Prepares the database, starts the instances, makes the operator's client, and signs users in. */
export async function openLab(
  report: DrillReport,
  cluster: DatabaseAddress,
  options: LabOptions = {},
): Promise<Lab> {
  const { ports, baseUrl, env: shared } = await prepare(cluster, options);
  const owned = { ...shared, DATABASE_OWNER_URL: cluster.url(DATABASE, OWNER) };
  const { main } = options;
  await runChecked(['migrate', '--application-role', APPLICATION], owned, { main });
  await options.fill?.(owned);
  const created = await runChecked(['operator', 'create'], shared, { main });
  const client = JSON.parse(created.slice(created.indexOf('{'))) as Record<string, string>;
  const instances: ServiceProcess[] = [];
  for (const [index, port] of ports.entries()) {
    const env = { ...shared, PORT: String(port), ...options.envOf?.(index) };
    const instance = await startService(env, main);
    report.closing(() => instance.dispose());
    instances.push(instance);
  }
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const [first = ''] = addresses;
  const people: LivePerson[] = [];
  const lab: Lab = {
    ...{ baseUrl, instances, addresses, people },
    env: owned,
    operatorToken: (at = first) => fetchToken(at, client),
    command: (args, code) => runChecked(args, owned, { code }),
    signUp: (cluster, at = first) => signUp(at, (email) => readCode(cluster, email)),
    at(other) {
      const env = { ...owned, DATABASE_OWNER_URL: other.url(DATABASE, OWNER) };
      return { ...lab, env, command: (args, code) => runChecked(args, env, { code }) };
    },
  };
  for (let i = 0; i < USERS; i++) people.push(await lab.signUp(cluster));
  report.note(`${ports.length} instances, with an owner's and an application's role`);
  return lab;
}
