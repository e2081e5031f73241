/** Each filter of bills narrows the list and the export over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { BillFilterParameters, type BillFilterQuery, type BillRecord } from './schemas.ts';

type Parameter = keyof BillFilterQuery;
interface Case {
  readonly value: string;
  /** A value that is refused. */
  readonly wrong: string;
  readonly selects: (bill: BillRecord) => boolean;
}

const DAYS = ['2026-11-10', '2026-11-11', '2026-11-12'];
const REWARDS = [
  {},
  { reward_type: 'PENALTY' },
  { reward_type: 'REFERRAL' },
  { currency: 'USDT', reward_type: 'BONUS' },
];

/** Of each parameter: a value, the bills that it selects, and a value that is refused. */
const CASES: Readonly<Record<Parameter, Case>> = {
  currency: { value: 'USDT', wrong: 'DOGE', selects: (bill) => bill.currency === 'USDT' },
  amountDirection: { value: '2', wrong: '3', selects: (bill) => bill.amount_direction === 2 },
  businessId: {
    value: 'referral_reward',
    wrong: 'gift',
    selects: (bill) => bill.business_id === 'referral_reward',
  },
  beginTime: {
    value: '2026-11-12',
    wrong: '2026-02-30',
    selects: (bill) => bill.created_at >= '2026-11-12',
  },
  endTime: {
    value: '2026-11-10',
    wrong: '2026-13-01',
    selects: (bill) => bill.created_at < '2026-11-11',
  },
};
const PARAMETERS = Object.keys(BillFilterParameters) as Parameter[];

describe.each(RUN_ENGINES)('filters of bills on %s', (engine) => {
  let money: MoneyServer;
  let all: BillRecord[];
  const list = async (query = ''): Promise<BillRecord[]> =>
    (await money.get(`/bonus-account/bills?current=1&size=20${query}`)).json().records;
  const exported = async (query: string): Promise<BillRecord[]> =>
    (await money.get(`/bonus-account/bills/export?${query}`)).json();

  beforeAll(async () => {
    money = await openMoneyServer(engine);
    for (const day of DAYS) {
      money.clock.set(new Date(`${day}T12:00:00Z`));
      for (const fields of REWARDS)
        expect((await money.post('/operator/rewards', money.reward(fields))).statusCode).toBe(200);
    }
    all = await list();
  });
  afterAll(() => money.close());

  test.each(PARAMETERS)('%s selects some bills and leaves others out', async (name) => {
    const { value, selects } = CASES[name];
    const expected = all.filter(selects);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect(await list(`&${name}=${value}`)).toEqual(expected);
    expect(await exported(`${name}=${value}`)).toEqual(expected);
  });

  test.each(PARAMETERS)(
    '%s with a wrong value is refused by the list and the export',
    async (name) => {
      const query = `${name}=${CASES[name].wrong}`;
      for (const url of [
        `/bonus-account/bills?current=1&size=20&${query}`,
        `/bonus-account/bills/export?${query}`,
      ])
        expect((await money.get(url)).json()).toMatchObject({
          status: 400,
          code: 'invalid_parameter',
          errors: [{ field: name }],
        });
    },
  );

  test('together they select what each of them does', async () => {
    const pairs = PARAMETERS.flatMap((one, i) =>
      PARAMETERS.slice(i + 1).map((other) => [one, other]),
    );
    for (const [one, other] of pairs as [Parameter, Parameter][]) {
      if (one === 'beginTime' && other === 'endTime') continue;
      const query = `${one}=${CASES[one].value}&${other}=${CASES[other].value}`;
      expect({ query, bills: await list(`&${query}`) }).toEqual({
        query,
        bills: all.filter((bill) => CASES[one].selects(bill) && CASES[other].selects(bill)),
      });
    }
  });
});
