/**
 * The reads of every GET, of a user with few bills and one with very many, in a ledger of other
 * users: the cost must not grow with the data of others. The plans are those of the statements that
 * the service sends, with fresh statistics and without any; blocks and rows count, never time. `npm
 * run test:full` fills a ledger of a million entries; READ_PLANS_TABLE=1 prints the worst request
 * of each route.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { type Database, openServer, type Transaction, transaction } from '../../src/db/index.ts';
import { ensureCurrency, keepHouseBalances } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { OPERATOR_SCOPES } from '../../src/oidc/index.ts';
import { PERSON_FILES } from '../../src/person-data/files.ts';
import {
  PAGE_ROWS,
  type PersonFile,
  type Place,
  pageQuery,
  pageValues,
  WITHOUT_SORT,
} from '../../src/person-data/person-file.ts';
import { createServerDatabase } from '../support/databases.ts';
import { sized } from '../support/scale.ts';
import { testConfig, testMasterKey } from '../support/test-config.ts';
import { createTestTokens } from '../support/tokens.ts';
import { type Cost, explain, planModesOf } from './explain.ts';
import { type Earner, fillLedger, fillLongAccount } from './fill-ledger.ts';
import {
  addBelongings,
  addDeliveries,
  addPeople,
  addRest,
  addWallet,
  DEVICES,
  MEMBERS,
} from './fill-people.ts';
import { type Recorder, recordStatements, type Statement } from './record-statements.ts';
import { NOT_READ, operatorRequests, personRequests, type Request } from './requests.ts';

const IS_FULL = sized({ quick: false, full: true, soak: true });
const OTHERS = IS_FULL
  ? { people: 20_000, entries: 1_000_000 }
  : { people: 1_000, entries: 50_000 };
const BILLS = IS_FULL
  ? { light: 1, middle: 1_000, heavy: 100_000 }
  : { light: 1, middle: 300, heavy: 5_000 };

/** Tables of settings, or with one row for each process or settled hour: read as a whole. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  ...[
    'currency',
    'transaction_type',
    'wallet_kind',
    'ledger_shard',
    'reference_data_version',
    'network',
    'token',
    'chain_state',
    'deposit_wallet',
    'price',
    'price_feed',
  ],
  ...[
    'community_state',
    'event_counter',
    'oauth_client',
    'signing_key',
    'token_lifetime',
    'ledger_key',
    'ledger_head',
    'reward_rules',
    'reward_activation',
    'payout_policy',
    'webhook',
  ],
  ...['connection_node', 'chain_backfill', 'community_downline_build', 'reward_batch'],
]);

const UNKNOWN = `update pg_class set reltuples = -1, relpages = 0, relallvisible = 0
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

/** Of the transaction: what follows is planned with it. */
const SETTING = /^(set local|select set_config)\b/i;

const clock = createManualClock('2026-11-10T12:00:00Z');
let database: Database;
let client: pg.Client;
let app: App;
let recorder: Recorder;
let earners: readonly Earner[];
const tokens = new Map<number | 'operator', string>();

async function fill(tx: Transaction): Promise<void> {
  const now = clock.now();
  await tx.query('set local statement_timeout = 0');
  // Foreign keys are not checked for each of a million rows.
  await tx.query("set local session_replication_role = 'replica'");
  await addWallet(tx, now);
  const ids = await addPeople(tx, 'earner', 3, { after_s: 0 });
  const others = await addPeople(tx, 'other', OTHERS.people, { after_s: 10 });
  for (const [index, referrerId] of ids.entries())
    await addPeople(tx, `member${index}-`, MEMBERS, { referrerId, after_s: 100_000 * (index + 1) });
  await ensureCurrency(tx, 'NEVER', 8);
  const bills = Object.values(BILLS);
  earners = ids.map((userId, index) => ({ userId, bills: bills[index] ?? 0 }));
  const each = Math.ceil(OTHERS.entries / 2 / OTHERS.people);
  await fillLedger(tx, [...earners, ...others.map((userId) => ({ userId, bills: each }))], now);
  await fillLongAccount(tx, now);
  await addBelongings(tx, ids, DEVICES, now);
  await addBelongings(tx, others, 2, now);
  await addRest(tx, now);
  await addDeliveries(tx, ids.at(-1) ?? 0, 2 * PAGE_ROWS, now);
}

/** Only the test analyzes tables. */
async function stopAutovacuum(): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r'`,
  );
  for (const { name } of rows)
    await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
}

beforeAll(async () => {
  const url = await createServerDatabase({ isOwner: true });
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set jit = off');
  recorder = recordStatements(database);
  app = await createApp({
    config: testConfig({ ROLES: 'http', DATABASE_URL: url, MASTER_KEY: '07'.repeat(32) }),
    database,
    masterKey: testMasterKey,
    clock,
  });
  await stopAutovacuum();
  await transaction(database, fill);
  await app.start();
  // As the job of the ledger does, which the role `http` has not.
  await keepHouseBalances(database);
  const issue = createTestTokens(database, { clock });
  for (const { userId } of earners) tokens.set(userId, (await issue.login(userId)).accessToken);
  tokens.set('operator', await issue.operator(...OPERATOR_SCOPES));
}, 600_000);
afterAll(async () => {
  await app.stop();
  await client.end();
  await database.close();
});

interface Reading extends Cost {
  readonly statements: number;
}

const NOTHING: Reading = { statements: 0, blocks: 0, rows: 0, scanned: [], spilled: 0 };

function add(sum: Reading, cost: Cost): Reading {
  return {
    statements: sum.statements + 1,
    blocks: sum.blocks + cost.blocks,
    rows: sum.rows + cost.rows,
    scanned: [...new Set([...sum.scanned, ...cost.scanned])],
    spilled: sum.spilled + cost.spilled,
  };
}

/** The reads of a request, by the worse of the possible plans of each statement. */
async function read(statements: readonly Statement[]): Promise<Reading> {
  let sum = NOTHING;
  let settings: string[] = [];
  for (const statement of statements) {
    const { text } = statement;
    if (SETTING.test(text)) settings.push(text);
    if (/^(commit|rollback)\b/i.test(text)) settings = [];
    // A statement that asks the planner for an estimate reads no rows.
    if (SETTING.test(text) || /^(commit|rollback|explain)\b/i.test(text)) continue;
    let worst: Cost | undefined;
    for (const mode of planModesOf(statement)) {
      const cost = await explain(client, statement, mode, settings);
      if (worst === undefined || cost.blocks > worst.blocks)
        worst = { ...cost, scanned: [...cost.scanned, ...(worst?.scanned ?? [])] };
      else
        worst = {
          ...worst,
          scanned: [...worst.scanned, ...cost.scanned],
          rows: Math.max(worst.rows, cost.rows),
        };
    }
    if (worst) sum = add(sum, worst);
  }
  return sum;
}

async function send({ url }: Request, who: number | 'operator'): Promise<Statement[]> {
  const deposit = await database.query<{ id: number }>(
    'select id from deposit where user_id = $1 limit 1',
    [who === 'operator' ? 0 : who],
  );
  const bill =
    who === 'operator'
      ? 0
      : ((
          await database.query<{ id: number }>(
            `select transfer_id * 2 as id from entry where wallet_id = $1 * 32::bigint + 2
              order by position limit 1`,
            [who],
          )
        ).rows[0]?.id ?? 0);
  const path = url
    .replace('DEPOSIT', String(deposit.rows[0]?.id ?? 0))
    .replace('BILL', String(bill));
  return recorder.during(async () => {
    const response = await app.http.inject({
      url: path,
      headers: { authorization: `Bearer ${tokens.get(who) ?? ''}` },
    });
    const isAnswered =
      [200, 302].includes(response.statusCode) ||
      ['not_provable', 'too_deep'].includes(String(response.json().code));
    if (!isAnswered)
      throw new Error(`${path} answers ${response.statusCode} ${response.body.slice(0, 300)}`);
  });
}

function allRequests(): { request: Request; who: number | 'operator'; name: string }[] {
  const now = clock.now();
  const ofPeople = earners.flatMap((earner) =>
    personRequests(earner, now).map((request) => ({
      request,
      who: earner.userId,
      name: `${earner.bills} bills ${request.url}`,
    })),
  );
  return [
    ...ofPeople,
    ...operatorRequests(earners, now).map((request) => ({
      request,
      who: 'operator' as const,
      name: request.url,
    })),
  ];
}

/**
 * A good plan scans a table of a few blocks completely; the blocks that it may read are limited
 * nevertheless.
 */
const FEW_BLOCKS = 32;

async function findLarge(): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind = 'r' and pg_relation_size(oid) > $1 * 8192`,
    [FEW_BLOCKS],
  );
  return new Set(rows.map(({ name }) => name));
}

const STATES = {
  'with no statistics at all': [UNKNOWN, 'delete from pg_statistic'],
  'with fresh statistics': ['analyze'],
};

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

/** Every GET of the OpenAPI document. */
async function findRoutes(): Promise<[route: string, operation: Operation][]> {
  const document = (await app.http.inject('/openapi.json')).json() as {
    paths: Record<string, { get?: Operation }>;
  };
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    get ? [[`GET ${path}`, get]] : [],
  );
}

describe('reads of every GET', () => {
  test('every query parameter is in a request that is read', async () => {
    const sent = new Set(
      allRequests().flatMap(({ request: { route, url } }) =>
        [...new URL(url, 'http://service.test').searchParams.keys()].map(
          (key) => `${route} ${key}`,
        ),
      ),
    );
    const documented = (await findRoutes()).flatMap(([route, { parameters = [] }]) =>
      parameters
        .filter((parameter) => parameter.in === 'query' && !Object.hasOwn(NOT_READ, route))
        .map(({ name }) => `${route} ${name}`),
    );
    expect(documented.filter((parameter) => !sent.has(parameter))).toEqual([]);
  });

  test('every route is read, or listed with a reason', async () => {
    const routes = (await findRoutes()).map(([route]) => route);
    for (const [route, reason] of Object.entries(NOT_READ))
      console.info(`${route} is not read here: ${reason}`);
    const known = new Set([
      ...allRequests().map(({ request }) => request.route),
      ...Object.keys(NOT_READ),
    ]);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
    expect([...known].filter((route) => !routes.includes(route))).toEqual([]);
  });

  test.each(Object.entries(STATES))(
    'limits the reads of %s',
    { timeout: 1_200_000 },
    async (_name, preparation) => {
      for (const text of preparation) await client.query(text);
      const large = await findLarge();
      const faults: string[] = [];
      const worst = new Map<string, string>();
      const most = new Map<string, number>();
      for (const { request, who, name } of allRequests()) {
        const cost = await read(await send(request, who));
        const grown = cost.scanned.filter((table) => large.has(table) && !SMALL_TABLES.has(table));
        if (
          cost.blocks > request.blocks ||
          cost.rows > request.rows ||
          cost.spilled > 0 ||
          grown.length > 0
        )
          faults.push(
            `${name}: ${cost.blocks} of ${request.blocks} blocks, ${cost.rows} of ` +
              `${request.rows} rows, ${cost.spilled} spilled, whole ${grown.join(' ')}`,
          );
        if (cost.blocks >= (most.get(request.route) ?? -1)) {
          most.set(request.route, cost.blocks);
          worst.set(
            request.route,
            `${request.route}: ${cost.blocks} blocks, ${cost.rows} rows, ` +
              `${cost.statements} statements (${name})`,
          );
        }
      }
      if (process.env.READ_PLANS_TABLE)
        console.log([...worst.values(), ...faults.map((f) => `FAULT ${f}`)].join('\n'));
      expect(faults).toEqual([]);
    },
  );
});

/** Blocks and rows that a page of the archive reads for each of its rows. */
const ARCHIVE_MAX = { blocks: 20, rows: 10 };

describe('reads of the archive', () => {
  /** The cost of a page, and the place of its last row. */
  async function readPage(file: PersonFile, userId: number, after?: Place) {
    const { text, parameters } = pageQuery(file, after === undefined);
    const named = pageValues(userId, after);
    const values = parameters.map((name) => named[name]);
    const statement: Statement = { name: undefined, text, values };
    const settings = file.readsInOrder ? [WITHOUT_SORT] : [];
    const cost = await explain(client, statement, 'force_custom_plan', settings);
    const { rows } = await client.query<{ place: Place }>(text, values);
    return { cost, place: rows.length === PAGE_ROWS ? rows.at(-1)?.place : undefined };
  }

  test.each(Object.entries(STATES))(
    'limits the reads of each page %s',
    { timeout: 1_200_000 },
    async (_name, preparation) => {
      for (const text of preparation) await client.query(text);
      const faults: string[] = [];
      const pages = new Map<string, number>();
      for (const file of PERSON_FILES) {
        for (let page = 1, after: Place | undefined; page === 1 || after; page++) {
          const { cost, place } = await readPage(file, earners.at(-1)?.userId ?? 0, after);
          if (
            cost.blocks > ARCHIVE_MAX.blocks * PAGE_ROWS ||
            cost.rows > ARCHIVE_MAX.rows * PAGE_ROWS
          )
            faults.push(`${file.name}, page ${page}: ${cost.blocks} blocks, ${cost.rows} rows`);
          if (process.env.READ_PLANS_TABLE)
            console.log(`${file.name}, page ${page}: ${cost.blocks} blocks, ${cost.rows} rows`);
          pages.set(file.name, page);
          after = place;
        }
      }
      expect(pages.get('event')).toBeGreaterThan(2);
      expect(faults).toEqual([]);
    },
  );
});
