/**
 * Requests with the same idempotency key at the same moment: one of them counts, and the others get
 * its result.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { bearer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { ensureCurrency, verifyLedger } from '../ledger/index.ts';

const ROUNDS = 6;

describe.each(ENGINES)('concurrent keys on %s', (engine) => {
  let money: MoneyServer;
  let person: number;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
    person = await insertUser(money.database);
  });
  afterAll(async () => {
    expect((await verifyLedger(money.database)).findings).toEqual([]);
    await money.close();
  });

  const give = (amount: string) => ({
    debit: { house: 'adjustment' },
    credit: { user_id: person, wallet: 'asset' },
    currency: 'USDT',
    amount,
    business_id: 'adjustment',
  });
  const send = (key: string, body: object) =>
    money.post('/operator/transfers', body, { 'idempotency-key': key });
  const readBalance = async (): Promise<number> => {
    const { rows } = await money.database.query<{ balance: string | null }>(
      `select sum(credits - debits) as balance from account where user_id = $1`,
      [person],
    );
    return Number(rows[0]?.balance ?? 0) / 1e6;
  };

  test.each([
    ['more items', ['1'], ['2', '40']],
    ['fewer items', ['1', '3'], ['2']],
    ['malformed items', ['1', 'x'], ['2', '5']],
  ])('what moved is what was answered 200, beside a body with %s', async (_name, one, two) => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await readBalance();
      const key = money.key();
      const bodies = [one, two, one, two].map((amounts) => ({ transfers: amounts.map(give) }));
      const answers = await Promise.all(bodies.map((body) => send(key, body)));
      const posted = answers
        .map((answer, i) => ({ answer, body: bodies[i] }))
        .filter(({ answer }) => answer.statusCode === 200);
      expect(posted.length).toBe(2);
      expect(new Set(posted.map(({ answer }) => answer.body)).size).toBe(1);
      const moved = (posted[0]?.answer.json().results ?? []).reduce(
        (sum: number, result: { status: string }, i: number) =>
          sum + (result.status === 'posted' ? Number(posted[0]?.body?.transfers[i]?.amount) : 0),
        0,
      );
      expect(await readBalance()).toBe(before + moved);
      for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
        expect(answer.json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
      }
    }
  });

  test.each([
    ['atomic', { atomic: true, transfers: [give('1'), give('2')] }],
    ['large', { transfers: Array.from({ length: 60 }, () => give('1')) }],
  ])('a repetition in flight of an %s request gets the same answer', async (_name, body) => {
    const named = {
      ...body,
      transfers: body.transfers.map((item) => ({
        ...item,
        credit: { user_id: person, wallet: 'asset' },
      })),
    };
    for (let round = 0; round < ROUNDS; round++) {
      const key = money.key();
      const answers = await Promise.all([send(key, named), send(key, named), send(key, named)]);
      expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
      expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    }
  });

  test('a concurrent repetition of a reversal gets the same answer', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { results } = (await send(money.key(), { transfers: [give('1')] })).json();
      const headers = { 'idempotency-key': money.key() };
      const reverse = () => money.post(`/operator/transfers/${results[0].id}/reverse`, {}, headers);
      const answers = await Promise.all([reverse(), reverse(), reverse()]);
      expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
      expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    }
  });

  test('two bodies under one key at two instances: one is posted, one is 409', async () => {
    const beside = await openMoneyServer(engine, money);
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const before = await readBalance();
        const headers = { 'idempotency-key': money.key() };
        const bodies = ['1', '2'].map((amount) => ({ transfers: [give(amount)] }));
        const answers = await Promise.all(
          [money, beside].map((instance, i) =>
            instance.post('/operator/transfers', bodies[i], headers),
          ),
        );
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
        const [posted, refused] = answers[0]?.statusCode === 200 ? [0, 1] : [1, 0];
        expect(await readBalance()).toBe(before + posted + 1);
        expect(answers[refused]?.json()).toMatchObject({ code: 'idempotency_key_reused' });
        const repeated = await Promise.all(
          [money, beside].map((instance) =>
            instance.post('/operator/transfers', bodies[posted], headers),
          ),
        );
        for (const answer of repeated) expect(answer.body).toBe(answers[posted]?.body);
      }
    } finally {
      await beside.close();
    }
  });

  test('keys of callers whose ids and keys concatenate alike are distinct', async () => {
    const scopes = ['operator:transfers'];
    const callers: readonly (readonly [claims: object, key: string])[] = [
      [{ userId: person, tokenUse: 'business' }, 'k'],
      [{ clientId: 'user', tokenUse: 'operator' }, `${person}:k`],
      [{ clientId: `user:${person}`, tokenUse: 'operator' }, 'k'],
      [{ clientId: 'client', tokenUse: 'operator' }, `user:${person}:k`],
      [{ clientId: 'client:user', tokenUse: 'operator' }, `${person}:k`],
      [{ clientId: 'client%3Auser', tokenUse: 'operator' }, `${person}:k`],
    ];
    const before = await readBalance();
    for (const [i, [claims, key]] of callers.entries()) {
      const headers = { ...bearer({ ...claims, scopes }), 'idempotency-key': key };
      const body = { transfers: [give(String(i + 1))] };
      expect((await money.post('/operator/transfers', body, headers)).statusCode).toBe(200);
    }
    expect(await readBalance()).toBe(before + 21);
  });

  test('a refusal is answered in the same bytes after it became possible', async () => {
    const key = money.key();
    const body = { transfers: [{ ...give('1'), currency: 'SOON' }, give('1')] };
    const first = await send(key, body);
    expect(first.json().results[0]).toMatchObject({
      code: 'invalid_parameter',
      detail: expect.any(String),
    });
    await ensureCurrency(money.database, 'SOON', 6);
    expect((await send(key, body)).body).toBe(first.body);
    const hold = { user_id: person, currency: 'USDT', amount: '0' };
    const headers = { 'idempotency-key': money.key() };
    const refusals = [
      await money.post('/operator/withdrawals', hold, headers),
      await money.post('/operator/withdrawals', hold, headers),
    ].map((answer) => answer.body.replace(/"request_id":"[^"]*"/, ''));
    expect(refusals[1]).toBe(refusals[0]);
  });

  test('a key whose first item can never be posted is still taken by its request', async () => {
    const key = money.key();
    const never = { ...give('1'), credit: { house: 'adjustment' } };
    const first = await send(key, { transfers: [never, give('1')] });
    expect(first.json().results).toMatchObject([{ code: 'same_account' }, { status: 'posted' }]);
    const before = await readBalance();
    expect((await send(key, { transfers: [give('7')] })).json()).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    });
    expect(await readBalance()).toBe(before);
    expect((await send(key, { transfers: [never, give('1')] })).body).toBe(first.body);
  });

  test('settling a withdrawal that does not exist yet stays refused', async () => {
    const held = await money.post('/operator/withdrawals', {
      user_id: person,
      currency: 'USDT',
      amount: '1',
    });
    const next = held.json().id + 16;
    const headers = { 'idempotency-key': money.key() };
    const settle = () => money.post(`/operator/withdrawals/${next}/settle`, {}, headers);
    expect((await settle()).statusCode).toBe(404);
    for (let n = 0; n < 40; n++) {
      const again = await money.post('/operator/withdrawals', {
        user_id: person,
        currency: 'USDT',
        amount: '0.000001',
      });
      if (again.json().id === next) break;
    }
    expect((await settle()).statusCode).toBe(404);
  });
});
