import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, transaction } from '../../src/db/index.ts';
import type { HttpServer } from '../../src/http/index.ts';
import { installLedger, openAccounts, readHouseBalances } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { registerOperatorRules } from '../../src/operator/index.ts';
import {
  activateRules,
  createProofKey,
  draftRules,
  type RulesBody,
  registerRewards,
  settleDue,
  verifySettlements,
} from '../../src/rewards/index.ts';
import { hashRules } from '../../src/rewards/rules.ts';
import { checkEarningsIdentity } from '../support/check-earnings.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../support/network.ts';
import { testMasterKey } from '../support/test-config.ts';
import { asOperator, asPerson, createTestServer } from '../support/test-server.ts';
import { insertUser } from '../support/test-users.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const NINES = '9'.repeat(60);
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

describe.each(RUN_ENGINES)('settlement with lines that cannot be paid, on %s', (engine) => {
  const clock = createManualClock(START);
  const databases: Database[] = [];
  let database: Database;
  let app: HttpServer;
  let users: number[];
  let devices: TestDevice[];

  const deps = () => ({
    database,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
  });

  /** All users are online for an hour, which is then due. */
  async function use(hours: number): Promise<void> {
    await addOnline(
      database,
      at(hours),
      devices.map(({ id }) => ({ deviceId: id, online_ms: HOUR_MS })),
    );
    clock.set(new Date(at(hours + 1).getTime() + 600_000));
  }
  async function activate(rules: RulesBody, from: Date): Promise<void> {
    const { version } = await draftRules(database, deps(), rules, 'test');
    await activateRules(database, deps(), { version, from, by: 'test' });
  }
  async function operate(method: 'GET' | 'POST', path: string, body?: object) {
    const headers = { ...asOperator('operator:rules'), prefer: 'amounts=string' };
    const response = await app.inject({
      method,
      url: `/operator/${path}`,
      headers,
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.json() };
  }
  async function linesOf(userId: number, query = '') {
    const headers = { ...asPerson(userId, 'dashboard:read'), prefer: 'amounts=string' };
    return (await app.inject({ url: `/me/rewards?current=1&size=20${query}`, headers })).json()
      .records;
  }
  const runs = async (): Promise<Record<string, unknown>[]> =>
    (await operate('GET', 'settlements?current=1&size=20')).body.records;
  const houseOf = async (account: string): Promise<bigint> =>
    (await readHouseBalances(database)).find(
      (house) => house.account === account && house.currency === 'EDGE',
    )?.balance ?? 0n;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    databases.push(database);
    clock.set(new Date(START.getTime() - 1));
    installLedger(database, { clock, masterKey: testMasterKey });
    users = [await insertUser(database), await insertUser(database)];
    devices = await Promise.all(users.map((userId) => insertDevice(database, userId)));
    app = createTestServer();
    registerOperatorRules(app, { database, clock, rewardCurrency: 'EDGE' });
    registerRewards(app, {
      db: database,
      clock,
      grace_s: 600,
      period: 'hour' as const,
      rewardCurrency: 'EDGE',
      proofKey: createProofKey(testMasterKey),
    });
  });
  afterAll(async () => {
    for (const opened of databases) await opened.close();
  });

  test('rates that the ledger could not hold are refused with their field', async () => {
    const fields: [RulesBody, string][] = [
      [{ uptime: { amount: NINES } }, 'rules.uptime.amount'],
      [
        { traffic: [{ category: '*', amount: '1000000000000.000000000000000001' }] },
        'rules.traffic.0.amount',
      ],
      [{ penalty: { amount: '1000000000001' } }, 'rules.penalty.amount'],
    ];
    for (const [rules, field] of fields) {
      expect((await operate('POST', 'rules', { rules })).body).toMatchObject({
        status: 400,
        errors: [{ field, code: 'too_large' }],
      });
    }
    expect(
      (await operate('POST', 'rules', { rules: { uptime: { amount: '1000000000000' } } })).status,
    ).toBe(200);
  });

  test('an hour under rules older than the limit ends, and later hours are paid', async () => {
    const body = JSON.stringify({
      uptime: { amount: NINES },
      campaigns: [
        { name: 'all', percent: '1000', from: at(0).toISOString(), before: at(9).toISOString() },
      ],
    });
    await database.query(
      `insert into reward_rules (body, body_hash, created_by, created_at)
        values ($1, $2, 'test', $3)`,
      [body, hashRules(body), START],
    );
    await expect(
      activateRules(database, deps(), { version: 1, from: at(0), by: 'test' }),
    ).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    await database.query(
      `insert into reward_activation (hour, version, activated_by, activated_at)
        values ($1, 1, 'test', $1)`,
      [START],
    );
    await activate({ uptime: { amount: '2' } }, at(1));
    const house = await houseOf('treasury');
    await use(0);
    await settleDue(deps());
    expect(await linesOf(users[0] ?? 0)).toMatchObject([
      { status: 'rejected', reason: 'amount_too_large', amount: '0' },
    ]);
    // Nothing was paid, but the ledger contains the root; the house paid nothing.
    const { rows } = await database.query<{ reference: string }>(
      `select t.reference from reward_batch b join transfer t on t.id = b.root_transfer
        order by b.id`,
    );
    const [run] = (await runs()).filter(({ kind }) => kind === 'hour');
    expect(rows[0]?.reference).toBe(`rewards ${run?.id} 2 ${run?.root}`);
    expect(await houseOf('treasury')).toBe(house);
    await use(1);
    await settleDue(deps());
    expect(await linesOf(users[0] ?? 0, '&status=paid')).toMatchObject([{ amount: '2' }]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('a line that the ledger refuses is shown as refused, and stops no other', async () => {
    const [rich = 0, other = 0] = users;
    await activate({ uptime: { amount: '2' } }, at(0));
    await transaction(database, (tx) => openAccounts(tx, rich));
    await database.query('update account set credits = $2, debits = $2 where user_id = $1', [
      rich,
      '9'.repeat(78),
    ]);
    await use(0);
    await settleDue(deps());
    const [refused, ...more] = await linesOf(rich);
    expect(more).toEqual([]);
    expect(refused).toMatchObject({ status: 'refused', reason: 'balance_too_large', amount: '2' });
    expect(refused).not.toHaveProperty('bill_id');
    expect(await linesOf(rich, '&status=paid')).toEqual([]);
    expect(await linesOf(rich, '&status=refused')).toHaveLength(1);
    expect(await linesOf(other)).toMatchObject([
      { status: 'paid', amount: '2', bill_id: expect.any(Number) },
    ]);
    // The house funded what was paid, no more.
    expect((await runs()).find(({ kind }) => kind === 'hour')).toMatchObject({
      state: 'settled',
      lines: 2,
      refused: 1,
      amount: '2',
    });
    expect(await houseOf('treasury')).toBe(-2n * 10n ** 18n);
    await checkEarningsIdentity(database, other);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('a run that cannot be posted names the reason, and an operator can close it', async () => {
    await activate({ uptime: { amount: '2' } }, at(0));
    await use(0);
    await database.query(
      `create function break_down() returns trigger language plpgsql as $$
        begin if new.batch_id = 1 then raise exception 'out of order'; end if; return new; end $$`,
    );
    await database.query(
      `create trigger broken before insert on reward_chunk for each row execute function
        break_down()`,
    );
    await expect(settleDue(deps())).rejects.toThrow('out of order');
    expect((await runs()).find(({ id }) => id === 1)).toMatchObject({
      state: 'posting',
      failure: 'out of order',
    });
    await use(1);
    await expect(settleDue(deps())).rejects.toThrow('out of order');
    expect(await linesOf(users[0] ?? 0)).toMatchObject([
      { status: 'paid', hour: at(1).toISOString() },
    ]);

    expect((await operate('POST', 'settlements/1/close', {})).status).toBe(400);
    expect((await operate('POST', 'settlements/99/close', { reason: 'none' })).status).toBe(404);
    expect(
      await operate('POST', 'settlements/1/close', { reason: 'broken trigger' }),
    ).toMatchObject({ status: 202, body: { id: 1 } });
    await database.query('drop trigger broken on reward_chunk');
    await settleDue(deps());
    const closed = (await runs()).find(({ id }) => id === 1);
    expect(closed).toMatchObject({
      state: 'settled',
      lines: 2,
      refused: 2,
      amount: '0',
      close_reason: 'broken trigger',
    });
    expect(closed).not.toHaveProperty('failure');
    expect(
      (await linesOf(users[0] ?? 0)).map(
        ({ status, reason }: { status: string; reason?: string }) => [status, reason],
      ),
    ).toEqual([
      ['paid', undefined],
      ['refused', 'settlement_closed'],
    ]);
    expect((await operate('POST', 'settlements/1/close', { reason: 'again' })).body).toMatchObject({
      status: 409,
      code: 'settlement_done',
    });
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('an hour that cannot be computed keeps the next until an operator closes it', async () => {
    await activate({ uptime: { amount: '2' } }, at(0));
    await use(0);
    await database.query(
      `create function break_down() returns trigger language plpgsql as $$
        begin raise exception 'out of order'; end $$`,
    );
    await database.query(
      `create trigger broken before insert on reward_line for each row when (new.hour =
        '2026-05-01T00:00:00Z') execute function break_down()`,
    );
    await use(1);
    await expect(settleDue(deps())).rejects.toThrow('out of order');
    expect((await runs()).filter(({ kind }) => kind === 'hour')).toMatchObject([
      { state: 'open', failure: 'out of order' },
    ]);
    await operate('POST', 'settlements/1/close', { reason: 'cannot be computed' });
    await settleDue(deps());
    expect((await runs()).filter(({ kind }) => kind === 'hour')).toMatchObject([
      { state: 'settled', lines: 2 },
      { state: 'settled', lines: 0, close_reason: 'cannot be computed' },
    ]);
    expect(await linesOf(users[0] ?? 0)).toHaveLength(1);
  });
});
