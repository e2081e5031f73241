/**
 * Signing in against the whole service: real tokens, the real guard, and two instances on one
 * database where possible.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { type Database, openServer } from '../src/db/index.ts';
import { postTransfers } from '../src/ledger/index.ts';
import { createServerDatabase, openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { createTestTokens } from './support/tokens.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const FELT_WITHIN_MS = 1000;

interface SignedIn {
  readonly userId: number;
  readonly access: string;
  readonly device: string;
}

describe.each(RUN_ENGINES)('the whole service on %s', (engine) => {
  const databases: Database[] = [];
  const apps: App[] = [];
  let count = 0;

  beforeAll(async () => {
    if (engine === 'embedded') databases.push(await openTestDatabase('embedded'));
    else {
      const url = await createServerDatabase();
      for (let i = 0; i < 2; i++)
        databases.push(await openServer({ url, poolSize: 5, onError: () => {} }));
    }
    for (const database of databases) {
      const app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
      await app.start();
      apps.push(app);
    }
  });
  afterAll(async () => {
    for (const app of apps) await app.stop();
    for (const database of databases) await database.close();
  });

  /** The first instance, and the last one: the same in the embedded engine. */
  const here = () => apps[0] as App;
  const there = () => apps.at(-1) as App;
  const data = () => databases[0] as Database;

  const post = (app: App, url: string, payload: object, token?: string) =>
    app.http.inject({
      method: 'POST',
      url,
      payload,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  const get = (app: App, url: string, token: string) =>
    app.http.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });

  async function codeTo(email: string): Promise<string> {
    const { rows } = await data().query<{ body: string }>(
      'select body from mail where recipient = $1 order by id desc limit 1',
      [email],
    );
    return /^\d{6}$/m.exec(rows[0]?.body ?? '')?.[0] ?? 'none';
  }

  async function signIn(email: string, password: string): Promise<Omit<SignedIn, 'userId'>> {
    const login = await post(here(), '/user/login-with-password', {
      email,
      login_password: md5(password),
    });
    const { login_ticket } = login.json<{ login_ticket: string }>();
    // The second step may reach another instance.
    const answer = await post(there(), '/user/login/2fa', {
      email,
      login_ticket,
      method: 'EMAIL',
      validate_code: await codeTo(email),
    });
    const { access_token, device_token } = answer.json<{
      access_token: string;
      device_token: string;
    }>();
    return { access: access_token, device: device_token };
  }

  async function signUp(): Promise<SignedIn & { email: string; password: string }> {
    const email = `whole${++count}@example.test`;
    const password = `a password of person ${count} of the whole`;
    const { register_ticket } = (
      await post(here(), '/user/register', { email, login_password: md5(password), nickname: 'W' })
    ).json<{
      register_ticket: string;
    }>();
    const made = await post(there(), '/user/register/verify', {
      email,
      register_ticket,
      validate_code: await codeTo(email),
    });
    return {
      userId: made.json<{ user_id: number }>().user_id,
      email,
      password,
      ...(await signIn(email, password)),
    };
  }

  /**
   * Resolves once an instance answers `status`; fails after the time within which every instance
   * must apply a change.
   */
  async function untilStatus(app: App, url: string, token: string, status: number): Promise<void> {
    const started = performance.now();
    for (;;) {
      const { statusCode } = await get(app, url, token);
      if (statusCode === status) return;
      expect(performance.now() - started, `${url} still answers ${statusCode}`).toBeLessThan(
        FELT_WITHIN_MS,
      );
    }
  }

  test('a new user has both wallets, and the device token can only read', async () => {
    const person = await signUp();
    expect((await get(here(), '/me', person.access)).json()).toMatchObject({
      user_id: person.userId,
      email: person.email,
    });
    expect(
      (await get(here(), '/account/info', person.access)).json<unknown[]>().length,
    ).toBeGreaterThan(0);
    expect((await get(here(), '/account/info', person.device)).statusCode).toBe(200);
    expect((await get(here(), '/me/sessions', person.device)).statusCode).toBe(403);
  });

  test('a logout at one instance ends only this login’s tokens at the other', async () => {
    const person = await signUp();
    const other = await signIn(person.email, person.password);
    expect((await get(there(), '/account/info', person.device)).statusCode).toBe(200);
    expect(
      (await post(here(), '/user/logout', { id: person.userId }, person.access)).statusCode,
    ).toBe(204);
    await untilStatus(there(), '/me', person.access, 401);
    await untilStatus(there(), '/account/info', person.device, 401);
    expect((await get(there(), '/me', person.access)).json()).toMatchObject({
      code: 'token_revoked',
      reason: 'logout',
    });
    expect((await get(there(), '/me', other.access)).statusCode).toBe(200);
    expect(
      (await post(here(), '/user/logout', { id: person.userId, everywhere: true }, other.access))
        .statusCode,
    ).toBe(204);
    await untilStatus(there(), '/me', other.access, 401);
    const again = await signIn(person.email, person.password);
    expect((await get(there(), '/me', again.access)).statusCode).toBe(200);
  });

  test('ending the other sessions keeps this one; a changed password ends the others', async () => {
    const person = await signUp();
    const other = await signIn(person.email, person.password);
    expect((await post(here(), '/me/sessions/end-others', {}, person.access)).json()).toEqual({
      ended: 1,
    });
    await untilStatus(there(), '/me', other.access, 401);
    expect((await get(there(), '/me', person.access)).statusCode).toBe(200);
    const third = await signIn(person.email, person.password);
    const change = {
      login_password: md5(person.password),
      new_login_password: md5('quite another password'),
    };
    expect((await post(here(), '/me/password', change, person.access)).statusCode).toBe(204);
    await untilStatus(there(), '/me', third.access, 401);
    expect((await get(there(), '/me', person.access)).statusCode).toBe(200);
  });

  test('a disabled user is signed out immediately on every instance', async () => {
    const person = await signUp();
    const operator = await createTestTokens(data()).operator('operator:users');
    expect(
      (
        await post(here(), `/operator/users/${person.userId}/disable`, { reason: 'test' }, operator)
      ).json(),
    ).toMatchObject({ status: 'disabled' });
    await untilStatus(there(), '/me', person.access, 401);
    await untilStatus(there(), '/account/info', person.device, 401);
  });

  test('an account with money is closed only when its owner gives the money up', async () => {
    const person = await signUp();
    const posting = {
      idempotencyKey: `gift ${person.userId}`,
      currency: 'USDT',
      amount: 5n,
      businessId: 'deposit',
      eventAt: new Date(),
    };
    await postTransfers(data(), [
      {
        ...posting,
        debit: { house: 'deposit_clearing' },
        credit: { userId: person.userId, wallet: 'asset' },
      },
    ]);
    const close = (extra = {}) =>
      post(here(), '/me/close', { login_password: md5(person.password), ...extra }, person.access);
    const refusal = (await close()).json();
    expect(refusal).toMatchObject({
      status: 409,
      code: 'account_not_empty',
      currencies: ['USDT'],
      wallets: ['asset'],
    });
    expect(refusal).not.toHaveProperty('owed_currencies');
    const takenBack = {
      debit: { userId: person.userId, wallet: 'asset' },
      credit: { house: 'adjustment' },
      mayOverdraw: true,
    };
    await postTransfers(data(), [
      {
        ...posting,
        ...takenBack,
        idempotencyKey: `correction ${person.userId}`,
        amount: 8n,
        businessId: 'adjustment',
      },
    ]);
    expect((await close()).json()).toMatchObject({
      code: 'account_not_empty',
      detail: 'The account is in debt.',
      owed_currencies: ['USDT'],
    });
    expect((await close({ abandon_balance: true })).statusCode).toBe(204);
    await untilStatus(there(), '/me', person.access, 401);
    expect(
      (
        await post(here(), '/user/login-with-password', {
          email: person.email,
          login_password: md5(person.password),
        })
      ).json(),
    ).toMatchObject({
      code: 'invalid_credentials',
    });
  });

  test('no business server moves money of a user who closed the account', async () => {
    const person = await signUp();
    const operator = await createTestTokens(data()).operator(
      'operator:rewards',
      'operator:transfers',
      'operator:purchases',
      'operator:withdrawals',
    );
    const ask = (url: string, payload: object) =>
      there().http.inject({
        method: 'POST',
        url,
        payload,
        headers: { authorization: `Bearer ${operator}`, 'idempotency-key': `${engine}-${++count}` },
      });
    const reward = { user_id: person.userId, currency: 'EDGE', amount: '5', reward_type: 'TASK' };
    const purchase = { user_id: person.userId, amount: '1', reference: 'a package' };
    const transfer = {
      debit: { house: 'adjustment' },
      credit: { user_id: person.userId, wallet: 'asset' },
      currency: 'EDGE',
      amount: '3',
      business_id: 'adjustment',
    };
    const withdrawal = { user_id: person.userId, currency: 'EDGE', amount: '1' };
    expect(
      (await ask('/operator/transfers', { transfers: [transfer] })).json().results,
    ).toMatchObject([{ status: 'posted' }]);
    const bought = (await ask('/operator/purchases', purchase)).json();
    const held = (await ask('/operator/withdrawals', withdrawal)).json();
    expect(
      (
        await post(
          here(),
          '/me/close',
          { login_password: md5(person.password), abandon_balance: true },
          person.access,
        )
      ).statusCode,
    ).toBe(204);
    const refused = { status: 409, code: 'account_closed' };
    expect((await ask('/operator/rewards', reward)).json()).toMatchObject(refused);
    expect((await ask('/operator/purchases', purchase)).json()).toMatchObject(refused);
    expect((await ask('/operator/withdrawals', withdrawal)).json()).toMatchObject(refused);
    expect(
      (await ask('/operator/transfers', { transfers: [transfer] })).json().results,
    ).toMatchObject([{ status: 'refused', code: 'account_closed' }]);
    expect((await ask(`/operator/withdrawals/${held.id}/settle`, {})).json()).toMatchObject({
      status: 'settled',
    });
    expect((await ask(`/operator/purchases/${bought.id}/refund`, {})).json()).toMatchObject({
      status: 'refunded',
    });
    expect((await ask('/operator/rewards', { ...reward, reward_type: 'PENALTY' })).statusCode).toBe(
      200,
    );
  });
});
