import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { createIdentityServer, type IdentityServer } from '../../test/support/identity-server.ts';
import { asOperator, bearer } from '../../test/support/test-server.ts';
import type { Database } from '../db/index.ts';
import { isMoneyFrozen, openOfUser } from '../identity/index.ts';
import { registerUserDetails } from './user-details.ts';
import { registerOperatorUsers } from './users.ts';

describe('support of a person', () => {
  let database: Database;
  let server: IdentityServer;
  let staff: number;
  const operator = asOperator('operator:users');
  const keyed = (key: string) => ({ ...operator, 'idempotency-key': key });
  beforeAll(async () => {
    database = await openTestDatabase('server', { isOwner: true });
    server = createIdentityServer(database);
    registerOperatorUsers(server.http, { database, clock: server.clock });
    registerUserDetails(server.http, {
      ...{ database, clock: server.clock },
      countTeam: async () => ({
        direct_count: 2,
        team_count: 5,
        levels: [
          { level: 1, members: 2 },
          { level: 2, members: 3 },
        ],
      }),
    });
    staff = (await server.register({ nickname: 'Sam of support' })).userId;
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  const asStaff = () =>
    bearer({ userId: staff, tokenUse: 'business', scopes: ['operator:users', 'operator:ledger'] });
  const detailsOf = async (userId: number, type: string) => {
    const { rows } = await database.query<{ sealed: Buffer }>(
      'select sealed from security_event where user_id = $1 and type = $2',
      [userId, type],
    );
    const sealed = rows.map((row) => row.sealed);
    return (await openOfUser<{ details: object }>(database, userId, sealed)).map(
      (content) => content?.details,
    );
  };

  test('ends all sessions with a reason; the person can sign in again', async () => {
    const person = await server.signIn(await server.register());
    const url = `/operator/users/${person.userId}`;
    expect((await server.get(`${url}/sessions`, operator)).json()).toMatchObject({
      sessions: [{ sid: person.sid, amr: ['pwd', 'email', 'mfa'] }],
    });
    const end = () => server.post(`${url}/end-sessions`, { reason: 'laptop stolen' }, asStaff());
    expect((await end()).json()).toEqual({ ended: 1 });
    expect((await end()).json()).toEqual({ ended: 0 });
    expect((await server.get(`${url}/sessions`, operator)).json()).toEqual({ sessions: [] });
    const [first] = await detailsOf(person.userId, 'sessions_ended_by_operator');
    expect(first).toMatchObject({ operator_id: staff, reason: 'laptop stolen', ended: 1 });
    await server.signIn(person);
  });

  test('removes second factors, ends sessions and freezes money for a day', async () => {
    const person = await server.signIn(await server.register());
    await server.enrol(person);
    const url = `/operator/users/${person.userId}`;
    const reset = () =>
      server.post(`${url}/reset-second-factors`, { reason: 'phone lost' }, asStaff());
    expect((await server.get(url, operator)).json()).toMatchObject({
      two_factor_methods: ['AUTHENTICATOR'],
    });
    expect((await reset()).json()).toEqual({ ended: 1 });
    expect((await server.get(url, operator)).json()).toMatchObject({
      two_factor_methods: ['EMAIL'],
    });
    const { rows } = await database.query<{ hours: number; codes: number }>(
      `select extract(epoch from money_frozen_until - $2::timestamptz) / 3600 as hours,
         (select count(*) from recovery_code where user_id = $1)::int as codes
       from user_security where user_id = $1`,
      [person.userId, server.clock.now()],
    );
    expect(rows.map(({ hours, codes }) => ({ hours: Number(hours), codes }))).toEqual([
      { hours: 24, codes: 0 },
    ]);
    expect((await server.mailTo(person.email))?.subject).toContain('removed your second factors');
    const [details] = await detailsOf(person.userId, 'second_factors_reset');
    expect(details).toMatchObject({ operator_id: staff, reason: 'phone lost' });
    // The password stays: a sign-in needs it and the mailbox, and the operator has neither.
    const signedIn = await server.signIn(person);
    const factors = await server.get('/me/second-factors', signedIn.headers);
    expect(factors.json()).toMatchObject({ has_authenticator: false, recovery_codes_left: 0 });
  });

  test('freezes money until it is released, and tells the person', async () => {
    const person = await server.signIn(await server.register());
    const url = `/operator/users/${person.userId}`;
    const isFrozen = () => isMoneyFrozen(database, server.clock, person.userId);
    const act = (verb: string) =>
      server.post(`${url}/${verb}`, { reason: 'stolen card' }, asStaff());
    const since = server.clock.now().toISOString();
    expect((await act('freeze-money')).json()).toMatchObject({ money_frozen_since: since });
    expect(await isFrozen()).toBe(true);
    expect((await server.mailTo(person.email))?.subject).toContain('froze your money');
    // Repeated it changes nothing, and it does not end by itself.
    server.clock.advance(400 * 86_400_000);
    expect((await act('freeze-money')).json()).toMatchObject({ money_frozen_since: since });
    expect(await isFrozen()).toBe(true);
    expect((await server.get(url, operator)).json()).toMatchObject({
      money_frozen_since: since,
      money_frozen_by: staff,
      money_frozen_reason: 'stolen card',
    });
    const again = await server.signIn(person);
    expect((await server.get('/me/second-factors', again.headers)).json()).toMatchObject({
      money_frozen_since: since,
    });
    expect(JSON.stringify((await act('release-money')).json())).not.toContain('money_frozen');
    expect(await isFrozen()).toBe(false);
    expect((await server.mailTo(person.email))?.subject).toContain('released your money');
    await act('release-money');
    for (const type of ['money_frozen', 'money_released'])
      expect(await detailsOf(person.userId, type)).toMatchObject([
        { operator_id: staff, reason: 'stolen card' },
      ]);
    const { rows } = await database.query(
      `select before, after from audit_entry where subject_kind = 'users' and subject_id = $1
         and coalesce(before, after) ? 'money_frozen_since' order by id`,
      [String(person.userId)],
    );
    expect(rows).toMatchObject([{ before: null }, { after: null }]);
    expect(
      (await server.post('/operator/users/999/freeze-money', { reason: 'x' }, asStaff())).json(),
    ).toMatchObject({ code: 'not_found' });
  });

  test('a release does not end the freeze after a reset, nor the other way round', async () => {
    const person = await server.register();
    const url = `/operator/users/${person.userId}`;
    const act = (verb: string) => server.post(`${url}/${verb}`, { reason: 'asked' }, asStaff());
    const isFrozen = () => isMoneyFrozen(database, server.clock, person.userId);
    await act('reset-second-factors');
    await act('freeze-money');
    server.clock.advance(86_400_001);
    expect(await isFrozen()).toBe(true);
    await act('reset-second-factors');
    await act('release-money');
    expect(await isFrozen()).toBe(true);
    server.clock.advance(86_400_001);
    expect(await isFrozen()).toBe(false);
  });

  test('refuses to weaken the account of another operator', async () => {
    const person = await server.register();
    await database.query(
      `update app_user set operator_scopes = '{operator:ledger}' where id = $1`,
      [person.userId],
    );
    const answer = await server.post(
      `/operator/users/${person.userId}/reset-second-factors`,
      { reason: 'I ask for a friend' },
      asStaff(),
    );
    expect(answer.json()).toMatchObject({ status: 409, code: 'operator_account' });
  });

  test('notes are kept in order, once for a key, and name their author', async () => {
    const person = await server.register();
    const url = `/operator/users/${person.userId}/notes`;
    const write = (text: string, headers: Record<string, string>) =>
      server.post(url, { text }, headers);
    const first = await write('called about a deposit', {
      ...asStaff(),
      'idempotency-key': 'note-1',
    });
    expect(first.statusCode).toBe(201);
    const again = await write('called about a deposit', {
      ...asStaff(),
      'idempotency-key': 'note-1',
    });
    expect(again.json()).toEqual(first.json());
    await write('written by a server', keyed('note-2'));
    expect((await server.get(`${url}?current=1&size=20`, operator)).json()).toMatchObject({
      total: 2,
      records: [
        { text: 'written by a server', client_id: 'test-operator' },
        {
          text: 'called about a deposit',
          author: { user_id: staff, nickname: 'Sam of support' },
        },
      ],
    });
    // The text is stored under the key of the person.
    const { rows } = await database.query<{ sealed: Buffer }>(
      'select sealed from user_note where user_id = $1',
      [person.userId],
    );
    expect(rows).toHaveLength(2);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('deposit');
    expect((await write('', keyed('note-3'))).statusCode).toBe(400);
    expect((await write('x'.repeat(2001), keyed('note-4'))).statusCode).toBe(400);
    expect((await write('without a key', operator)).json()).toMatchObject({
      code: 'idempotency_key_required',
    });
  });

  test('shows security log, team and wallets; nothing of unknown people', async () => {
    const person = await server.signIn(await server.register());
    const url = `/operator/users/${person.userId}`;
    const log = (await server.get(`${url}/security-events?current=1&size=20`, operator)).json();
    expect(log).toMatchObject({
      total: 2,
      records: [{ type: 'signed_in' }, { type: 'registered' }],
    });
    expect((await server.get(`${url}/team`, operator)).json()).toEqual({
      direct_count: 2,
      team_count: 5,
      levels: [
        { level: 1, members: 2 },
        { level: 2, members: 3 },
      ],
    });
    expect((await server.get(`${url}/referrals?current=1&size=20`, operator)).json()).toMatchObject(
      { records: [], total: 0 },
    );
    expect((await server.get(`${url}/wallets`, operator)).json()).toMatchObject({
      code: 'insufficient_scope',
    });
    const { wallets } = (await server.get(`${url}/wallets`, asStaff())).json<{
      wallets: { wallet: string; balances: object[] }[];
    }>();
    expect(wallets.map(({ wallet }) => wallet)).toEqual(['asset', 'bonus']);
    const paged = ['referrals', 'notes'].map((part) => `${part}?current=1&size=20`);
    const parts = ['sessions', 'team', 'wallets', ...paged];
    for (const part of parts)
      expect((await server.get(`/operator/users/999999/${part}`, asStaff())).statusCode, part).toBe(
        404,
      );
    for (const action of ['end-sessions', 'reset-second-factors'])
      expect(
        (await server.post(`/operator/users/999999/${action}`, { reason: 'x' }, operator))
          .statusCode,
        action,
      ).toBe(404);
    expect(
      (await server.post('/operator/users/999999/notes', { text: 'x' }, keyed('note-5')))
        .statusCode,
    ).toBe(404);
  });
});
