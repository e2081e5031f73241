import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { BillRecord } from './schemas.ts';
import type { BillSearchPage } from './search-schemas.ts';

/** Old bills; the search looks through 2,000 at once. */
const OLD = 4100;

describe.each(RUN_ENGINES)('the search of bills on %s', (engine) => {
  let money: MoneyServer;
  let oldest: BillRecord;

  const search = async (query: string, wallet = 'bonus-account'): Promise<BillSearchPage> => {
    const answer = await money.get(`/${wallet}/bills/search?${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const remarks = async (query: string) =>
    (await search(query)).records.map(({ remark }) => remark);

  /** Rewards in one batch, oldest first. */
  async function pay(rewards: readonly object[], userId = money.user): Promise<void> {
    const transfers = rewards.map((fields) => ({
      debit: { house: 'reward_pool' },
      credit: { user_id: userId, wallet: 'bonus' },
      ...{ currency: 'EDGE', amount: '1', business_id: 'reward', reward_type: 'UPTIME' },
      ...fields,
    }));
    const answer = await money.post('/operator/transfers', { transfers });
    expect(
      answer.json().results.every(({ status }: { status: string }) => status === 'posted'),
    ).toBe(true);
  }

  beforeAll(async () => {
    money = await openMoneyServer(engine);
    money.clock.set(new Date('2026-11-01T12:00:00Z'));
    await pay([{ remark: 'The very first', amount: '7.125' }]);
    [oldest] = (await money.get('/bonus-account/bills?current=1&size=1')).json().records;
    for (let done = 0; done < OLD; done += 1000)
      await pay(Array.from({ length: Math.min(1000, OLD - done) }, () => ({ remark: 'Old' })));
    money.clock.set(new Date('2026-11-10T12:00:00Z'));
    await pay([
      { remark: 'Café in Bern', reward_type: 'TASK', amount: '1234.5' },
      { remark: 'Fleet bonus', reward_type: 'BONUS', amount: '57.260416666667' },
      { remark: 'Fleet', reference: 'order-77', amount: '12.5' },
    ]);
    const stranger = await insertUser(money.database);
    await pay([{ remark: 'Fleet of another' }], stranger);
  }, 120_000);
  afterAll(() => money.close());

  test('finds by words, amounts and codes, newest first', async () => {
    expect(await remarks('text=fleet')).toEqual(['Fleet', 'Fleet bonus']);
    expect(await remarks('text=bonus%20FLEET')).toEqual(['Fleet bonus']);
    expect(await remarks('text=cafe')).toEqual(['Café in Bern']);
    expect(await remarks('text=order-77')).toEqual(['Fleet']);
    expect(await remarks('text=57.26')).toEqual(['Fleet bonus']);
    expect(await remarks('text=1,234.50')).toEqual(['Café in Bern']);
    expect(await remarks('text=%E5%A5%96%E5%8A%B1&codes=TASK,BONUS')).toEqual([
      ...['Fleet bonus', 'Café in Bern'],
    ]);
    expect(await remarks('text=edge&size=1')).toEqual(['Fleet']);
    expect(await remarks('text=-12.5')).toEqual([]);
  });

  test('keeps to the filters, and to the wallet', async () => {
    expect(await remarks('text=fleet&endTime=2026-11-09')).toEqual([]);
    expect(await remarks('text=fleet&amountDirection=2')).toEqual([]);
    expect(await remarks('text=fleet&currency=USDT')).toEqual([]);
    expect(await remarks('text=fleet&businessId=reward')).toHaveLength(2);
    expect(await search('text=fleet', 'account')).toEqual({ records: [] });
  });

  test('looks through a bounded number of bills, and goes further back', async () => {
    const found: BillRecord[] = [];
    const reached: (string | undefined)[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: BillSearchPage = await search(
        `text=very+first${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.records);
      reached.push(page.searched_back_to);
      cursor = page.next;
    }
    expect(found).toEqual([oldest]);
    expect(reached).toEqual(Array(3).fill('2026-11-01T12:00:00.000Z'));
  });

  test('every match is on one page, whatever their size', async () => {
    const ids: number[] = [];
    let cursor: string | undefined = '';
    for (let pages = 0; cursor !== undefined && pages < 40; pages++) {
      const page: BillSearchPage = await search(
        `text=old&size=20${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...page.records.map(({ id }) => id));
      cursor = page.next;
    }
    expect(ids).toHaveLength(800);
    expect(new Set(ids).size).toBe(800);
  });

  test('a number is found at once, however old it is', async () => {
    for (const number of [oldest.transfer_id, `%23${oldest.transfer_id}`, oldest.id])
      expect((await search(`text=${number}`)).records[0]).toEqual(oldest);
    const filtered = await search(`text=${oldest.transfer_id}&beginTime=2026-11-02`);
    expect(filtered.records).toEqual([]);
    const page = await search(`text=${oldest.transfer_id}&cursor=2`);
    expect(page).toEqual({ records: [], searched_back_to: oldest.created_at });
    expect((await search('text=999999999999999')).records).toEqual([]);
    expect((await search(`text=${oldest.transfer_id}`, 'account')).records).toEqual([]);
  });

  test.each([
    ['text=%20', 'text'],
    ['', 'text'],
    [`text=${'x'.repeat(101)}`, 'text'],
    ['text=a&cursor=0', 'cursor'],
    ['text=a&cursor=x', 'cursor'],
    ['text=a&size=21', 'size'],
    ['text=a&currency=DOGE', 'currency'],
    ['text=a&beginTime=2026-02-30', 'beginTime'],
  ])('%s is refused', async (query, field) => {
    for (const wallet of ['account', 'bonus-account'])
      expect((await money.get(`/${wallet}/bills/search?${query}`)).json()).toMatchObject({
        ...{ status: 400, code: 'invalid_parameter' },
        errors: [{ field }],
      });
  });
});
