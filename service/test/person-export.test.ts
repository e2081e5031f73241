/** `GET /me/export` against the whole service, and the tables that it must contain. */
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOGICAL_RELATIONS } from '../../scripts/schema-relations.ts';
import { type App, createApp } from '../src/app.ts';
import { type Database, executeUnprepared, transaction } from '../src/db/index.ts';
import { createErrorFinder } from '../src/http/index.ts';
import { addUserNote } from '../src/identity/index.ts';
import { postTransfers } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { PERSON_FILES } from '../src/person-data/files.ts';
import { LEFT_OUT } from '../src/person-data/left-out.ts';
import { PAGE_ROWS, pageQuery, pageValues } from '../src/person-data/person-file.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { createHttpPeople } from './support/http-person.ts';
import { createBrowserKeys } from './support/push-service.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

const EMAIL = 'owner@example.test';
const BILLS = PAGE_ROWS + 5;

type Line = Record<string, unknown>;

interface Manifest {
  readonly user_id: number;
  readonly files: { file: string; rows: number }[];
  readonly not_here: Record<string, string>;
}

describe.each(RUN_ENGINES)('the archive of a user on %s', (engine) => {
  const clock = createManualClock('2026-06-01T00:00:00Z');
  const config = testConfig();
  let database: Database;
  let app: App;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config, database, masterKey: testMasterKey, clock });
    await app.start();
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const people = () =>
    createHttpPeople(app, database, { ip: '198.51.100.7', userAgent: 'Firefox of the owner' });
  const getExport = (token: string) => people().send('GET', '/me/export', { token });

  async function postBills(userId: number): Promise<void> {
    for (let from = 0; from < BILLS; from += 500)
      await postTransfers(
        database,
        Array.from({ length: Math.min(500, BILLS - from) }, (_, i) => ({
          idempotencyKey: `bill ${userId} ${from + i}`,
          debit: { house: 'reward_pool' },
          credit: { userId, wallet: 'bonus' },
          currency: 'EDGE',
          amount: 1n,
          businessId: 'reward',
          rewardType: 'BONUS',
          eventAt: clock.now(),
          mayOverdraw: true,
        })),
      );
  }

  test('contains each row of the user once, nothing of others, and schemas', async () => {
    const userId = await people().signUp(EMAIL);
    const other = await people().signUp('someone-else@example.test');
    await postBills(userId);
    await postBills(other);
    const token = await people().signIn(EMAIL);
    const { publicKey: p256dh, auth } = createBrowserKeys();
    const body = { endpoint: 'https://push.example.test/secret', keys: { p256dh, auth } };
    const turnedOn = await people().send('POST', '/me/push-subscriptions', { token, body });
    expect(turnedOn.statusCode, turnedOn.body).toBe(200);
    const note = { userId, clientId: 'support', text: 'called about a deposit' };
    await transaction(database, (tx) => addUserNote(tx, clock, note));
    const answer = await getExport(token);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    const files = unzipSync(answer.rawPayload);
    const textOf = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
    const linesOf = (name: string): Line[] =>
      textOf(`${name}.jsonl`)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line);

    const manifest = JSON.parse(textOf('manifest.json')) as Manifest;
    expect(manifest).toMatchObject({ user_id: userId, not_here: LEFT_OUT });
    expect(manifest.files.map(({ file }) => file)).toEqual(
      PERSON_FILES.map(({ name }) => `${name}.jsonl`),
    );
    for (const { name } of PERSON_FILES) {
      const lines = linesOf(name);
      expect(manifest.files.find(({ file }) => file === `${name}.jsonl`)?.rows).toBe(lines.length);
      const find = createErrorFinder(JSON.parse(textOf(`schemas/${name}.schema.json`)));
      for (const line of lines) expect(find(line), name).toEqual([]);
    }
    const bills = linesOf('bills');
    expect(new Set(bills.map(({ position }) => position)).size).toBe(BILLS);
    expect(bills).toHaveLength(BILLS);
    expect(bills.at(-1)).toMatchObject({
      wallet: 'bonus',
      currency: 'EDGE',
      business_id: 'reward',
      amount: '0.000000000000000001',
      balance_after: '0.000000000000001005',
    });
    expect(linesOf('account')).toMatchObject([{ id: userId, email: EMAIL, nickname: 'Owner' }]);
    expect(linesOf('security_event').map(({ type }) => type)).toContain('data_exported');
    expect(linesOf('mail')).toContainEqual(
      expect.objectContaining({ kind: 'dataExported', recipient: EMAIL, sent_at: null }),
    );
    expect(linesOf('user_session')).toMatchObject([{ user_agent: 'Firefox of the owner' }]);
    expect(linesOf('user_note')).toMatchObject([{ text: 'called about a deposit' }]);
    expect(linesOf('push_subscription')).toMatchObject([{ user_agent: 'Firefox of the owner' }]);
    const everything = Object.keys(files).map(textOf).join('\n');
    expect(everything).not.toContain('someone-else');
    expect(everything).not.toContain('argon2');
    expect(everything).not.toContain('push.example.test');
  });

  test('needs a recent reauthentication, notifies the owner, and is limited', async () => {
    const token = await people().signIn(EMAIL);
    clock.advance((config.REAUTHENTICATION_TTL + 1) * 1000);
    const refused = await getExport(token);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'reauthentication_required' });
    const fresh = await people().signIn(EMAIL);
    const { rows } = await database.query<{ body: string }>(
      `select body from mail where recipient = $1 and body like '%archive of all your data%'`,
      [EMAIL],
    );
    expect(rows).toHaveLength(1);
    const codes: number[] = [];
    for (let i = 0; i < 11; i++) codes.push((await getExport(fresh)).statusCode);
    expect(codes.filter((code) => code === 200)).toHaveLength(9);
    expect(codes.at(-1)).toBe(429);
  });

  test('numbers that a reader of JSON could round are texts', async () => {
    const { rows } = await database.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = current_schema() and data_type = 'numeric'`,
    );
    const asNumbers = PERSON_FILES.flatMap(({ tables, omitted, shown }) =>
      rows
        .filter(({ table, column }) => table === tables[0] && !(column in { ...omitted, ...shown }))
        .map(({ table, column }) => `${table}.${column}`),
    );
    expect(asNumbers).toEqual([]);
    expect(rows.length).toBeGreaterThan(30);
  });

  test('each table that refers to users is in the archive, or named with the reason', async () => {
    const { rows } = await database.query<{ child: string; parent: string }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent
       from pg_constraint where contype = 'f'`,
    );
    const relations = [
      ...rows,
      ...Object.entries(LOGICAL_RELATIONS).map(([key, parent]) => ({
        child: key.split('.')[0] ?? '',
        parent,
      })),
    ];
    const referring = new Set(['app_user']);
    for (let size = 0; size < referring.size; ) {
      size = referring.size;
      for (const { child, parent } of relations) if (referring.has(parent)) referring.add(child);
    }
    const { rows: named } = await database.query<{ table_name: string }>(
      `select distinct table_name from information_schema.columns
       where table_schema = 'public' and column_name ~
         '(user_id|owner_id|_by$|referee|recipient|email|caller|subject|^ip$|user_agent|address)'
         and table_name not in ('network', 'connection_node')`,
    );
    for (const { table_name } of named) referring.add(table_name);
    const covered = new Set([
      ...PERSON_FILES.flatMap(({ tables }) => tables),
      ...Object.keys(LEFT_OUT),
    ]);
    expect([...referring].filter((table) => !covered.has(table)).sort()).toEqual([]);
    const { rows: all } = await database.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r'`,
    );
    const there = new Set(all.map(({ name }) => name));
    expect([...covered].filter((table) => !there.has(table))).toEqual([]);
  });

  test.each(PERSON_FILES.map((file) => [file.name, file] as const))(
    '%s has no secret, and each page follows the one before',
    async (_name, file) => {
      const read = (isFirst: boolean, after: readonly (string | null)[]) =>
        executeUnprepared<{ place: string[] }>(
          database,
          pageQuery(file, isFirst),
          pageValues(1, after),
        );
      const { rows } = await read(true, []);
      const place = rows.at(-1)?.place ?? file.keys.map(() => null);
      const next = await read(false, place);
      const places = [...rows, ...next.rows].map((row) => row.place.join(' '));
      expect(new Set(places).size).toBe(places.length);
      if (rows.length < PAGE_ROWS) expect(next.rows).toEqual([]);
      const { rows: columns } = await database.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_name = $1
           and column_name ~ '(secret|password|sealed|salt|_hash$|token|mac$)'`,
        [file.tables[0]],
      );
      const shown = columns.map(({ name }) => name).filter((name) => !(name in file.omitted));
      expect(shown.filter((name) => !PUBLIC_HASHES.includes(name))).toEqual([]);
    },
  );
});

/** Hashes of blocks, of transactions of chains, and of documents that the user may have. */
const PUBLIC_HASHES = ['tx_hash', 'block_hash', 'reports_hash', 'document_hash', 'token_id'];
