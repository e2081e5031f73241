/** A statement has every bill of the month, and balances that these make up, to the last digit. */
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addUpBills,
  askExactly,
  BUSY_FROM,
  fillWallet,
} from '../../../test/support/busy-wallet.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../../test/support/money-server.ts';
import { asPerson } from '../../../test/support/test-server.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { findUser } from '../../identity/index.ts';
import { LANGUAGES, textsOf } from '../../lib/language.ts';
import { formatAmount } from '../../lib/money.ts';
import type { BillRecord } from '../schemas.ts';
import { nameOf, writeMonth } from './statement-texts.ts';

/** One space between words, as pieces of a line come apart in the text of a document. */
async function readPdf(bytes: Buffer): Promise<string> {
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
}

const NUMBERS = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 30,
});
/** As the console prints it, in each language. */
const printed = (amount: unknown): string =>
  NUMBERS.format(String(amount) as Intl.StringNumericLiteral);
const sign = ({ amount_direction }: BillRecord): string => (amount_direction === 1 ? '+' : '-');
const stamp = ({ created_at }: BillRecord): string => created_at.slice(0, 19).replace('T', ' ');

describe.each(RUN_ENGINES)('statements on %s', (engine) => {
  let money: MoneyServer;
  let bills: BillRecord[];
  const ask = (query: string) => askExactly(money, `/account/statement?${query}`);
  const billsOf = (month: string): BillRecord[] =>
    bills.filter(({ created_at }) => created_at.startsWith(month)).toReversed();
  beforeAll(async () => {
    money = await openMoneyServer(engine);
    await fillWallet(money);
    bills = (await askExactly(money, '/account/bills/export')).json();
    money.clock.set(new Date('2026-11-20T10:00:00Z'));
  });
  afterAll(() => money.close());

  test.each(LANGUAGES)('every bill and balance is in it, in %s', async (language) => {
    const texts = textsOf(language).statement;
    const answer = await ask(`month=2026-11&language=${language}`);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="statement-2026-11.pdf"',
    });
    const text = await readPdf(answer.rawPayload);
    const november = billsOf('2026-11');
    expect(november.length).toBeGreaterThan(256);
    let at = 0;
    for (const bill of november) {
      const type = nameOf(texts.types, bill.business_id);
      const [amount, after] = [printed(bill.amount), printed(bill.balance_after)];
      const amounts = `${sign(bill)}${amount} ${bill.currency} ${after}`;
      const found = text.indexOf(`${stamp(bill)} ${type} ${amounts} ${bill.currency}`, at);
      expect(found, `${bill.id} after the bills before it`).toBeGreaterThanOrEqual(at);
      at = found;
    }
    for (const { currency, scale, incoming, outgoing } of addUpBills(november)) {
      const own = bills.filter((bill) => bill.currency === currency);
      const before = own.find(({ created_at }) => created_at < '2026-11');
      const [opening, closing] = [printed(before?.balance_after), printed(own[0]?.balance_after)];
      const sums = [incoming, -outgoing]
        .map((minor) => printed(formatAmount(minor, scale)))
        .join(' ');
      expect(text).toContain(` ${currency} ${opening} ${sums} ${closing} `);
      expect(text).toContain(`${texts.opening} ${opening} ${currency}`);
      expect(text).toContain(`${texts.closing} ${closing} ${currency}`);
    }
    expect(text).toContain(texts.soFar);
    expect(text).toContain(`${texts.earned} 2026-10-01`);
    expect(text).toContain(
      `${writeMonth(money.clock.now(), language)} – ${texts.page.replace('{n}', '2')}`,
    );
    expect(text.trimEnd().endsWith(texts.end)).toBe(true);
  });

  test('a month ends where the next one begins', async () => {
    const text = await readPdf((await ask('month=2026-10&language=en')).rawPayload);
    const october = billsOf('2026-10');
    expect(october[0]?.created_at).toBe(BUSY_FROM.toISOString());
    const shown = text.match(/2026-1\d-\d\d \d\d:\d\d:\d\d (?!UTC)/g) ?? [];
    expect(shown.map((at) => at.trim())).toEqual(october.map(stamp));
    expect(text).not.toContain(textsOf('en').statement.soFar);
  });

  test('an account without bills, and numbers of any length, have one too', async () => {
    const user = await insertUser(money.database);
    const url = '/account/statement?month=2026-11&language=zh';
    const get = () => money.app.inject({ url, headers: asPerson(user, 'account:read') });
    expect(await readPdf((await get()).rawPayload)).toContain(textsOf('zh').statement.none);
    const amount = `${'9'.repeat(22)}.${'8'.repeat(18)}`;
    const reward = money.reward({ user_id: user, amount, reward_type: 'TASK' });
    expect((await money.post('/operator/rewards', reward)).statusCode).toBe(200);
    const text = await readPdf((await get()).rawPayload);
    const shown = `9,${'999,'.repeat(6)}999.${'8'.repeat(18)}`;
    expect(text).toContain(`奖励 – 任务 +${shown} EDGE ${shown} EDGE`);
  });

  test('the holder is named as far as the application may know, in any script', async () => {
    const nickname = 'Zoë Ngô 王小明 龔 🌸🌸 Ж';
    const user = await insertUser(money.database, { nickname });
    const remark = 'Κ Ü مرحبا!';
    const reward = money.reward({ user_id: user, remark });
    expect((await money.post('/operator/rewards', reward)).statusCode).toBe(200);
    const url = '/account/statement?month=2026-11&language=en';
    const textFor = async (...scopes: string[]) => {
      const headers = asPerson(user, 'account:read', ...scopes);
      return readPdf((await money.app.inject({ url, headers })).rawPayload);
    };
    const { email } = (await findUser(money.database, user)) ?? {};
    const named = `${textsOf('en').statement.holder} Zoë Ngô 王小明 龔 [?] Ж`;
    const whole = await textFor('profile', 'email');
    expect(whole).toContain(`${named} ${textsOf('en').statement.email} ${email} `);
    expect(whole).toContain('Κ Ü [?]!');
    expect(await textFor('profile')).not.toContain(email);
    const anonymous = await textFor();
    expect(anonymous).not.toContain('王小明');
    expect(anonymous).toContain(`${textsOf('en').statement.account} ${user}`);
  });

  test('a month that is none, or has not begun, is refused', async () => {
    for (const [month, code] of [
      ['2026-12', 'in_future'],
      ['2026-13', 'pattern'],
      ['2026-1', 'pattern'],
    ])
      expect((await ask(`month=${month}&language=en`)).json()).toMatchObject({
        status: 400,
        errors: [{ field: 'month', code }],
      });
  });

  test('twenty an hour', async () => {
    const user = await insertUser(money.database);
    const get = () =>
      money.app.inject({
        url: '/account/statement?month=2026-11',
        headers: asPerson(user, 'account:read'),
      });
    for (let made = 0; made < 20; made += 1) expect((await get()).statusCode).toBe(200);
    expect((await get()).json()).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});
