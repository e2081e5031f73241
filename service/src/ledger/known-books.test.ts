/** Batches posted on what the process remembers, while others write to the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { closeAccountsOf, ensureBusiness, ensureWalletKind, installLedger, type Posting, postTransfers, readBalances } from './index.ts';

/** After the first collision so many batches ask first. */
const REST_FIRST = 16;

describe.each(ENGINES)('batches on what is remembered, on %s', (engine) => {
  const clock = createManualClock('2026-11-10T00:00:00Z');
  let database: Database;
  let user: number;
  let count = 0;
  const asked: string[] = [];
  /** The values of the last batch that was written. */
  let written: readonly unknown[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    // What is sent to the database, in order.
    database.pool.on('acquire', (client) => {
      const { query } = client;
      client.query = function (this: typeof client, ...args: unknown[]) {
        const { name, values = [] } = (args[0] ?? {}) as { name?: string; values?: readonly unknown[] };
        if (name !== undefined) asked.push(name);
        if (name === 'ledger_write') written = values;
        return Reflect.apply(query, this, args);
      } as typeof query;
      database.pool.once('release', () => {
        client.query = query;
      });
    });
  });
  afterAll(() => database.close());

  const reward = (userId: number, more: Partial<Posting> = {}): Posting => ({
    idem: `r${++count}`,
    debit: { house: 'reward_pool' },
    credit: { userId, wallet: 'asset' },
    currency: 'EDGE',
    amount: 10n,
    businessId: 'reward',
    rewardType: 'TASK',
    eventAt: clock.now(),
    ...more,
  });
  const spend = (userId: number, amount: bigint): Posting =>
    reward(userId, { debit: { userId, wallet: 'asset' }, credit: { house: 'package_sales' }, businessId: 'package_purchase', amount });
  const post = async (posting: Posting) => (await postTransfers(database, [posting]))[0];
  /** Names of the statements that one posting sent. */
  async function statementsOf(posting: Posting): Promise<{ status: string | undefined; sent: string[] }> {
    asked.length = 0;
    const status = (await post(posting))?.status;
    return { status, sent: asked.filter((name) => name.startsWith('ledger_')) };
  }
  const balanceOf = async (userId: number): Promise<bigint | undefined> =>
    (await readBalances(database, userId, 'asset')).find(({ currency }) => currency === 'EDGE')?.balance;
  /** Someone of whom the next batch knows everything. */
  async function rememberSomebody(): Promise<number> {
    const userId = await insertUser(database);
    let result = await statementsOf(reward(userId));
    for (let tries = 0; result.sent.includes('ledger_prepare') && tries < 200; tries++) result = await statementsOf(reward(userId));
    expect(result.sent).toEqual(['ledger_write']);
    return userId;
  }

  test('who was posted to before is posted to by one statement, and a stranger is asked for first', async () => {
    user = await rememberSomebody();
    expect(await statementsOf(reward(user))).toEqual({ status: 'posted', sent: ['ledger_write'] });
    expect((await statementsOf(reward(await insertUser(database)))).sent).toContain('ledger_prepare');
    expect(await statementsOf(reward(user))).toEqual({ status: 'posted', sent: ['ledger_write'] });
  });

  test('what would be refused is judged on what the database says', async () => {
    const userId = await rememberSomebody();
    const before = (await balanceOf(userId)) ?? 0n;
    // A house account that it must know as well.
    await post(spend(userId, 1n));
    expect(await post(spend(userId, before))).toEqual({ status: 'refused', code: 'insufficient_funds' });
    expect(await balanceOf(userId)).toBe(before - 1n);
    expect(await post(spend(userId, before - 1n))).toMatchObject({ status: 'posted' });
  });

  test('a name that was posted before is replayed, and a refused one stays refused', async () => {
    const userId = await rememberSomebody();
    const posting = reward(userId);
    const first = await post(posting);
    const before = await balanceOf(userId);
    expect(await post(posting)).toEqual({ ...first, status: 'replayed' });
    const refused = spend(userId, 10n ** 9n);
    expect(await post(refused)).toMatchObject({ status: 'refused' });
    await rememberSomebody();
    await post(reward(userId, { amount: 10n ** 9n }));
    expect(await post(refused)).toEqual({ status: 'refused', code: 'insufficient_funds' });
    expect(await balanceOf(userId)).toBe((before ?? 0n) + 10n ** 9n);
  });

  test('money that another transaction moved is neither lost nor spent twice', async () => {
    const userId = await rememberSomebody();
    const before = (await balanceOf(userId)) ?? 0n;
    await transaction(database, (tx) => postTransfers(tx, [spend(userId, before)]));
    expect(await post(spend(userId, 1n))).toEqual({ status: 'refused', code: 'insufficient_funds' });
    expect(await balanceOf(userId)).toBe(0n);
  });

  test('what another process wrote is noticed by the statement that writes', async () => {
    const userId = await rememberSomebody();
    const before = (await balanceOf(userId)) ?? 0n;
    // As a person would by hand, or a process of the version before: this one does not hear of it.
    await database.query('update account set credits = credits + 5 where user_id = $1', [userId]);
    const { status, sent } = await statementsOf(reward(userId));
    expect({ status, first: sent.slice(0, 2) }).toEqual({ status: 'posted', first: ['ledger_write', 'ledger_prepare'] });
    expect(await balanceOf(userId)).toBe(before + 15n);
    await database.query('update account set credits = credits - 5 where user_id = $1', [userId]);
  });

  test('an account that is gone is not made anew from memory', async () => {
    const userId = await rememberSomebody();
    const gone = await database.query('delete from account where user_id = $1 returning wallet_id', [userId]);
    expect(gone.rowCount).toBe(1);
    // Its entries are there: without the account nobody can say where the next one stands.
    await expect(post(reward(userId))).rejects.toThrow('another posting came first');
    expect((await database.query('select from account where user_id = $1 and credits > 0', [userId])).rowCount).toBe(0);
  });

  test('an account in another currency that is not as remembered keeps the wallet from being written', async () => {
    const userId = await rememberSomebody();
    await post(reward(userId, { currency: 'USDT' }));
    expect((await statementsOf(reward(userId))).sent).toEqual(['ledger_write']);
    const change = (by: number) => database.query('update account set seq = seq + $2 where user_id = $1 and currency_id = 2', [userId, by]);
    await change(-1);
    // As after the loss of the last commits: on what is remembered, the next entry would leave a hole before it.
    await expect(post(reward(userId))).rejects.toThrow('another posting came first');
    await change(1);
    expect(await post(reward(userId))).toMatchObject({ status: 'posted' });
  });

  test('other currencies are looked at only by who has not locked them', async () => {
    const userId = await rememberSomebody();
    await post(reward(userId, { currency: 'USDT' }));
    expect((await statementsOf(reward(userId))).sent).toEqual(['ledger_write']);
    expect(written.slice(-3)).not.toContain('{}');
    await transaction(database, (tx) => postTransfers(tx, [reward(userId)]));
    expect(written.slice(-3)).toEqual(['{}', '{}', '{}']);
  });

  test('a batch that had to ask after all is no reason to try sooner again', async () => {
    const userId = await rememberSomebody();
    const meddle = () => database.query('update account set credits = credits + 5 where user_id = $1 and currency_id = 1', [userId]);
    /** Posts in the way of somebody else. */
    const collide = async (): Promise<void> => {
      await meddle();
      expect((await statementsOf(reward(userId))).sent.slice(0, 2)).toEqual(['ledger_write', 'ledger_prepare']);
    };
    const isAskedFirst = async (posting: Posting): Promise<boolean> => (await statementsOf(posting)).sent.includes('ledger_prepare');
    await collide();
    for (let i = 0; i < REST_FIRST; i++) expect(await isAskedFirst(i % 2 === 0 ? spend(userId, 1n) : reward(userId))).toBe(true);
    // It knows all that it needs, and does not write on that.
    expect(await statementsOf(spend(userId, 10n ** 9n))).toMatchObject({ status: 'refused' });
    expect(await isAskedFirst(reward(userId))).toBe(true);
    await collide();
    let rest = 0;
    while (await isAskedFirst(reward(userId))) rest++;
    expect(rest).toBe(2 * REST_FIRST);
  });

  test('to be installed again makes no second listener', () => {
    const count = database.pool.listenerCount('remove');
    installLedger(database, { clock, masterKey: testMasterKey });
    expect(database.pool.listenerCount('remove')).toBe(count);
  });

  test('a connection that ends takes all memory with it', async () => {
    const userId = await rememberSomebody();
    const client = await database.pool.connect();
    const removed = new Promise((resolve) => database.pool.once('remove', resolve));
    client.release(true);
    await removed;
    expect((await statementsOf(reward(userId))).sent).toContain('ledger_prepare');
  });

  test('a lane that another process extended is left to it', async () => {
    const userId = await rememberSomebody();
    await database.query("update ledger_lane set mac = sha256('another')");
    const { status, sent } = await statementsOf(reward(userId));
    expect({ status, first: sent.slice(0, 2) }).toEqual({ status: 'posted', first: ['ledger_write', 'ledger_prepare'] });
  });

  test('an account that was closed takes nothing more', async () => {
    const userId = await rememberSomebody();
    await transaction(database, (tx) => closeAccountsOf(tx, userId));
    expect(await post(reward(userId))).toEqual({ status: 'refused', code: 'account_closed' });
  });

  test('a name that the database lost, or that stands for something else there, is not posted under', async () => {
    const userId = await rememberSomebody();
    const { id } = await ensureBusiness(database, 'gift', { isEarning: false });
    const gift = (): Posting => reward(userId, { businessId: 'gift', rewardType: undefined });
    expect(await post(gift())).toMatchObject({ status: 'posted' });
    // As after a failover that no connection told of: the next one to add a business got the number of the lost one.
    await database.query('delete from business where id = $1', [id]);
    await database.query('insert into business (id, code) overriding system value values ($1, $2)', [id, 'fine']);
    expect(await post(gift())).toEqual({ status: 'refused', code: 'unknown_business' });
    expect(await transaction(database, (tx) => postTransfers(tx, [gift()]))).toEqual([{ status: 'refused', code: 'unknown_business' }]);
    expect(await post({ ...gift(), businessId: 'fine' })).toMatchObject({ status: 'posted' });
    const named = await database.query('select from transfer where business_id = $1', [id]);
    expect(named.rowCount).toBe(2);
  });

  test('a kind of wallet that the database lost is no kind of wallet', async () => {
    const userId = await rememberSomebody();
    await ensureWalletKind(database, 'lost', { isHouse: false });
    expect(await post(reward(userId))).toMatchObject({ status: 'posted' });
    await transaction(database, async (tx) => {
      await tx.query('alter table wallet_kind disable trigger user');
      await tx.query("delete from wallet_kind where code = 'lost'");
      await tx.query('alter table wallet_kind enable trigger user');
    });
    expect(await post(reward(userId, { credit: { userId, wallet: 'lost' } }))).toEqual({ status: 'refused', code: 'unknown_wallet' });
  });

  test('an account that was opened anew and closed elsewhere takes nothing from who remembers it open', async () => {
    const newcomer = await insertUser(database);
    // Opened and remembered, with nothing in it.
    expect(await postTransfers(database, [reward(await rememberSomebody()), spend(newcomer, 1n)])).toMatchObject([{ status: 'posted' }, { status: 'refused' }]);
    const row = 'wallet_id, currency_id, user_id, kind_id, guarded';
    const { rows } = await database.query<Record<string, unknown>>(`delete from account where user_id = $1 returning ${row}`, [newcomer]);
    await database.query(`insert into account (${row}, closed) values ($1, $2, $3, $4, $5, true)`, Object.values(rows[0] ?? {}));
    const { sent } = await statementsOf(reward(newcomer));
    expect(sent.slice(0, 2)).toEqual(['ledger_write', 'ledger_prepare']);
    expect(await post(reward(newcomer))).toEqual({ status: 'refused', code: 'account_closed' });
  });

  test('many at once, some of them replays and refusals, give what one after the other gives', async () => {
    const people = [await rememberSomebody(), await rememberSomebody(), await rememberSomebody()];
    const start = await Promise.all(people.map(balanceOf));
    const postings = Array.from({ length: 300 }, (_, i) => {
      const userId = people[i % 3] ?? 0;
      return i % 5 === 4 ? spend(userId, 10n ** 9n) : reward(userId);
    });
    const twice = [...postings, ...postings.filter((_, i) => i % 7 === 0)];
    const results = await Promise.all(twice.map(post));
    for (const [i, result] of results.slice(0, postings.length).entries()) expect(result?.status).toMatch(i % 5 === 4 ? /refused/ : /posted|replayed/);
    const ends = await Promise.all(people.map(balanceOf));
    expect(ends.map((end, i) => (end ?? 0n) - (start[i] ?? 0n))).toEqual(
      people.map((_, p) => 10n * BigInt(postings.filter((_, i) => i % 3 === p && i % 5 !== 4).length)),
    );
  });
});
