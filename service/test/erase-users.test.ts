/** The remains of a closed account, against the whole service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { verifyCommunity } from '../src/community/index.ts';
import { type Database, deleteDueRows, transaction } from '../src/db/index.ts';
import { installPersonKeys, openOfUser, sealForUser } from '../src/identity/erasure/person-keys.ts';
import { listSecurityEvents } from '../src/identity/security-log.ts';
import { postTransfers, verifyLedger } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { eraseDueUsers } from '../src/person-data/index.ts';
import { RETENTION } from '../src/retention.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { createHttpPeople, PERSON_PASSWORD } from './support/http-person.ts';
import { createBrowserKeys } from './support/push-service.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

const ORIGIN = { ip: '198.51.100.77', userAgent: 'Netscape of the leaver' };
const EMAIL = 'leaver@example.test';
const PUSH_ADDRESS = 'https://push.example.test/leaver';
const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('a closed account on %s', (engine) => {
  const clock = createManualClock('2026-06-01T00:00:00Z');
  // The limits by address are meant, which a challenge would precede.
  const config = testConfig({ CHALLENGE: 'off' });
  let database: Database;
  let app: App;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config, database, masterKey: testMasterKey, clock });
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });
  const people = () => createHttpPeople(app, database, ORIGIN);

  /** Tables with a text in any column of a row. */
  async function findTables(text: string): Promise<string[]> {
    const { rows: tables } = await database.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and oid >= 16384 order by 1`,
    );
    expect(tables.length).toBeGreaterThan(80);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await database.query(
        `select from "${name}" t where strpos(lower(t::text), lower($1)) > 0 limit 1`,
        [text],
      );
      if (rowCount > 0) found.push(name);
    }
    return found;
  }

  async function openAccount(): Promise<{ userId: number; token: string }> {
    const userId = await people().signUp(EMAIL);
    await postTransfers(database, [
      {
        idempotencyKey: 'a reward',
        debit: { house: 'reward_pool' },
        credit: { userId, wallet: 'bonus' },
        currency: 'EDGE',
        amount: 7n,
        businessId: 'reward',
        eventAt: clock.now(),
        mayOverdraw: true,
      },
    ]);
    await database.query(
      `insert into device (node_id, user_id, device_type, name, browser, extension_version, os,
         timezone, capabilities, requested_categories, registered_address, created_at, bound_at)
       values ('node', $1, 'EXTENSION', $2, $3, '', '', 'UTC', '{}', '{}', $4, now(), now())`,
      [userId, EMAIL, ORIGIN.userAgent, ORIGIN.ip],
    );
    await database.query(
      `insert into device_presence (device_id, heard_at, previous_at, address)
       select id, now(), now(), $1 from device`,
      [ORIGIN.ip],
    );
    await database.query('insert into community_note values ($1, $2, now())', [userId, EMAIL]);
    const token = await people().signIn(EMAIL);
    const { publicKey: p256dh, auth } = createBrowserKeys();
    const body = { endpoint: PUSH_ADDRESS, keys: { p256dh, auth } };
    const turnedOn = await people().send('POST', '/me/push-subscriptions', { token, body });
    expect(turnedOn.statusCode, turnedOn.body).toBe(200);
    return { userId, token };
  }

  async function runJobs(): Promise<number> {
    const erased = await eraseDueUsers(database, clock);
    await deleteDueRows(database, clock, RETENTION);
    return erased;
  }

  test('contains nothing that identifies after its time, and the books verify', async () => {
    const { userId, token } = await openAccount();
    const log = await people().send('GET', '/me/security-events?current=1&size=20', { token });
    expect(log.json()).toMatchObject({
      records: [
        { type: 'signed_in', ip: ORIGIN.ip, user_agent: ORIGIN.userAgent },
        { type: 'registered', ip: ORIGIN.ip },
      ],
    });
    // In the log and in sessions it is encrypted from the start, and therefore in each backup.
    expect(await findTables(ORIGIN.userAgent)).toEqual(['device']);
    expect(await findTables(ORIGIN.ip)).not.toContain('security_event');
    expect(await findTables(ORIGIN.ip)).not.toContain('user_session');
    expect(await findTables(EMAIL)).toContain('app_user');
    expect(await findTables(PUSH_ADDRESS)).toEqual([]);
    const backup = await database.query<{ sealed: Buffer }>(
      'select sealed from security_event where user_id = $1',
      [userId],
    );

    const body = { login_password: PERSON_PASSWORD, abandon_balance: true };
    expect((await people().send('POST', '/me/close', { token, body })).statusCode).toBe(204);
    clock.advance(29 * DAY_MS);
    expect(await runJobs()).toBe(0);
    clock.advance(DAY_MS + 60_000);
    expect(await runJobs()).toBe(1);
    expect(await runJobs()).toBe(0);

    expect((await database.query('select from push_subscription')).rowCount).toBe(0);
    for (const text of [EMAIL, 'leaver', ORIGIN.ip, ORIGIN.userAgent, 'Netscape'])
      expect(await findTables(text), text).toEqual([]);
    const { rows } = await database.query<{ key_sealed: Buffer | null; erased_at: Date }>(
      'select key_sealed, erased_at from person_key where user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ key_sealed: null, erased_at: clock.now() }]);
    // Rows of a backup are restored as they were, and no key decrypts them.
    for (const { sealed } of backup.rows)
      expect(await openOfUser(database, userId, [sealed])).toEqual([undefined]);
    expect((await verifyLedger(database)).findings).toEqual([]);
    expect((await verifyCommunity(database)).problems).toEqual([]);
    const { rowCount } = await database.query('select from entry where wallet_id > 0');
    expect(rowCount).toBe(1);
  });

  test('a known address counts as known although it is stored as a hash', async () => {
    const other = createHttpPeople(app, database, { ip: '198.51.100.99', userAgent: 'Stranger' });
    const email = 'stays@example.test';
    await people().signUp(email);
    await people().signIn(email);
    const wrong = { email, login_password: 'f'.repeat(32) };
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++)
      statuses.push(
        (await other.send('POST', '/user/login-with-password', { body: wrong })).statusCode,
      );
    expect(statuses.at(-1)).toBe(429);
    // Guesses from another address do not lock the owner out.
    expect(await people().signIn(email)).toMatch(/^ey/);
  });

  test('an account that stays is not erased, and an erased one gets no new key', async () => {
    const { rows } = await database.query<{ user_id: number; is_erased: boolean }>(
      'select user_id, erased_at is not null as is_erased from person_key order by 2',
    );
    expect(rows.map(({ is_erased }) => is_erased)).toEqual([false, true]);
    clock.advance(400 * DAY_MS);
    expect(await eraseDueUsers(database, clock)).toBe(0);
    const seal = (userId: number): Promise<Buffer | null> =>
      transaction(database, (tx) => sealForUser(tx, userId, 'a value', clock.now()));
    const [stays, erased] = rows.map(({ user_id }) => user_id);
    const sealed = await seal(stays ?? 0);
    expect(await openOfUser(database, stays ?? 0, [sealed])).toEqual(['a value']);
    expect(await seal(erased ?? 0)).toBeNull();
    expect(await openOfUser(database, erased ?? 0, [sealed])).toEqual([undefined]);
  });

  test('after a restore without keys old rows cannot be read, and new ones can', async () => {
    const userId = await people().signUp('restored@example.test');
    const list = async () => {
      const page = await listSecurityEvents(database, userId, { current: 1, size: 9 });
      return page.records.map(({ type, ip }) => [type, ip]);
    };
    expect(await list()).toEqual([['registered', ORIGIN.ip]]);
    await database.query('delete from person_key');
    installPersonKeys(database, testMasterKey);
    expect(await list()).toEqual([['registered', '']]);
    await people().signIn('restored@example.test');
    expect(await list()).toEqual([
      ['signed_in', ORIGIN.ip],
      ['registered', ''],
    ]);
  });
});
