import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asOperator, asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';

interface Listed {
  readonly id: number;
  readonly created_at: string;
  readonly debit: object;
  readonly credit: object;
  readonly reverses?: number;
  readonly reversed_by?: number;
}
interface Page {
  readonly transfers: readonly Listed[];
  readonly next?: string;
}

describe.each(RUN_ENGINES)('GET /operator/transfers on %s', (engine) => {
  let money: MoneyServer;
  let other: number;
  /** In the order of posting. */
  const posted: number[] = [];

  const send = (query: string, headers: Record<string, string> = OPERATOR) =>
    money.app.inject({ url: `/operator/transfers${query}`, headers });
  const read = async (query: string): Promise<Page> => (await send(query)).json<Page>();

  /** From a cursor on, or from the newest. */
  async function readAll(query: string, cursor?: string): Promise<Listed[][]> {
    const pages: Listed[][] = [];
    let next = cursor;
    do {
      const page = await read(`?${query}${next === undefined ? '' : `&cursor=${next}`}`);
      pages.push([...page.transfers]);
      next = page.next;
    } while (next !== undefined);
    return pages;
  }
  const idsOf = (pages: readonly Listed[][]): number[] => pages.flat().map(({ id }) => id);

  async function post(transfer: object): Promise<number> {
    const { results } = (await money.post('/operator/transfers', { transfers: [transfer] })).json<{
      results: { id: number }[];
    }>();
    money.clock.advance(1000);
    return results[0]?.id ?? 0;
  }
  const adjust = (userId: number): Promise<number> =>
    post({
      debit: { house: 'adjustment' },
      credit: { user_id: userId, wallet: 'asset' },
      ...{ currency: 'USDT', amount: '3', business_id: 'adjustment' },
    });
  /** While another posting has the first shards. */
  async function adjustBehind(shards: number, userId: number): Promise<number> {
    if (engine === 'embedded') return adjust(userId);
    return transaction(money.database, async (tx) => {
      await tx.query('select from ledger_shard where shard < $1 for update', [shards]);
      return adjust(userId);
    });
  }

  beforeAll(async () => {
    money = await openMoneyServer(engine);
    other = await insertUser(money.database);
    // The numbers of shards differ: ids do not follow the time.
    for (let n = 0; n < 30; n++)
      posted.push(
        await adjustBehind([0, 0, 1, 0, 5][n % 5] ?? 0, n % 3 === 0 ? other : money.user),
      );
  });
  afterAll(() => money.close());

  test('has all transfers by time, page after page, while others are posted', async () => {
    const first = await read('?size=7');
    expect(first.transfers.map(({ id }) => id)).toEqual(posted.toReversed().slice(0, 7));
    const later = await adjust(other);
    const rest = await readAll('size=7', first.next);
    expect(idsOf(rest)).toEqual(posted.toReversed().slice(7));
    expect(rest.map(({ length }) => length)).toEqual([7, 7, 7, 2]);
    posted.push(later);
    expect((await read('')).transfers).toHaveLength(20);
    expect(await read('?size=100')).not.toHaveProperty('next');
  });

  test('of a person, and of an account of the house, it has those alone', async () => {
    const ofOther = posted.filter((_, n) => n % 3 === 0 || n === 30).toReversed();
    expect(idsOf(await readAll(`size=4&user_id=${other}`))).toEqual(ofOther);
    const { id } = (await money.post('/operator/rewards', money.reward())).json<{ id: number }>();
    expect(idsOf(await readAll('size=4&house=reward_pool'))).toEqual([id]);
    expect(idsOf(await readAll('size=4&house=adjustment'))).toEqual(posted.toReversed());
    const unknown = await read('?user_id=987654321');
    expect(unknown).toEqual({ transfers: [] });
    expect(await read('?house=fees')).toEqual({ transfers: [] });
  });

  test('a transfer between two wallets of a person is listed once, on whatever page', async () => {
    const person = await insertUser(money.database);
    const between = [await adjust(person)];
    for (let n = 0; n < 5; n++)
      between.push(
        await post({
          debit: { user_id: person, wallet: 'asset' },
          credit: { user_id: person, wallet: 'bonus' },
          ...{ currency: 'USDT', amount: '0.5', business_id: 'adjustment' },
        }),
      );
    for (const size of [1, 2, 3, 50])
      expect(idsOf(await readAll(`size=${size}&user_id=${person}`))).toEqual(between.toReversed());
  });

  test('shows both sides, and what was undone', async () => {
    const { id } = (await money.post('/operator/rewards', money.reward({ remark: 'twice' }))).json<{
      id: number;
    }>();
    const undone = await money.post(`/operator/transfers/${id}/reverse`, { remark: 'paid twice' });
    const by = undone.json<{ id: number }>().id;
    const { transfers } = await read(`?size=100&user_id=${money.user}`);
    expect(transfers.find((one) => one.id === id)).toMatchObject({
      debit: { house: 'reward_pool' },
      credit: { user_id: money.user, wallet: 'bonus' },
      ...{ currency: 'EDGE', amount: 1.5, business_id: 'reward', remark: 'twice' },
      reversed_by: by,
    });
    expect(transfers.find((one) => one.id === by)).toMatchObject({ reverses: id });
  });

  test.each([
    ['cursor=1', 'cursor'],
    ['cursor=0.1-', 'cursor'],
    ['cursor=0.x', 'cursor'],
    [`cursor=${'9'.repeat(700)}`, 'cursor'],
    ['size=0', 'size'],
    ['size=101', 'size'],
    ['user_id=0', 'user_id'],
    ['house=nothing', 'house'],
    ['house=asset', 'house'],
    ['house=fees&user_id=1', 'house'],
    ['type=reward', 'type'],
  ])('refuses %s', async (query, field) => {
    const answer = await send(`?${query}`);
    expect(answer.json()).toMatchObject({
      ...{ status: 400, code: 'invalid_parameter' },
      errors: [{ field: expect.stringContaining(field) }],
    });
  });

  test('a cursor beyond what there is shows no more than that', async () => {
    const { transfers } = await read('?size=100&cursor=0.999999999999999');
    const all = (await read('?size=100')).transfers;
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(transfers.map(({ id }) => id)));
    expect(await read('?cursor=15.0')).toEqual({ transfers: [] });
  });

  test('is for those who read the books', async () => {
    expect((await send('', asOperator('operator:read'))).statusCode).toBe(200);
    expect((await send('', asOperator('operator:transfers'))).statusCode).toBe(403);
    expect((await send('', asPerson(money.user, 'account:read'))).statusCode).toBe(403);
    expect((await send('', {})).statusCode).toBe(401);
  });
});

describe.each(RUN_ENGINES)(
  'GET /operator/transfers of instances whose clocks differ on %s',
  (engine) => {
    let money: MoneyServer;
    beforeAll(async () => {
      money = await openMoneyServer(engine);
    });
    afterAll(() => money.close());

    /** In the first shard, of which each account keeps the order of its own postings alone. */
    async function post(business: 'adjustment' | 'reward', userId: number): Promise<number> {
      const send = async () => {
        const sent =
          business === 'reward'
            ? await money.post('/operator/rewards', { ...money.reward(), user_id: userId })
            : await money.post('/operator/transfers', {
                transfers: [
                  {
                    debit: { house: 'adjustment' },
                    credit: { user_id: userId, wallet: 'asset' },
                    ...{ currency: 'USDT', amount: '3', business_id: 'adjustment' },
                  },
                ],
              });
        const { id, results } = sent.json<{ id?: number; results?: { id: number }[] }>();
        return id ?? results?.[0]?.id ?? 0;
      };
      if (engine === 'embedded') return send();
      return transaction(money.database, async (tx) => {
        await tx.query('select from ledger_shard where shard > 0 for update');
        return send();
      });
    }

    async function readPages(size: number): Promise<number[]> {
      const ids: number[] = [];
      for (let cursor = ''; ; ) {
        const url = `/operator/transfers?size=${size}${cursor}`;
        const page = (await money.app.inject({ url, headers: OPERATOR })).json<Page>();
        ids.push(...page.transfers.map(({ id }) => id));
        if (page.next === undefined) return ids;
        cursor = `&cursor=${page.next}`;
      }
    }

    test('lists each transfer once, on whatever page', async () => {
      const posted: number[] = [];
      for (const business of ['adjustment', 'reward', 'reward', 'adjustment', 'reward'] as const) {
        const ahead_ms = business === 'adjustment' ? 5000 : 0;
        money.clock.advance(ahead_ms);
        posted.push(await post(business, await insertUser(money.database)));
        money.clock.advance(1 - ahead_ms);
      }
      expect(new Set(posted.map((id) => (id - 1) % 16))).toEqual(new Set([0]));
      for (const size of [1, 2, 3, 20]) expect(await readPages(size)).toEqual(posted.toReversed());
    });
  },
);
