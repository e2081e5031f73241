/** What a referral link shows before the sign-up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
  type Person,
} from '../../../test/support/identity-server.ts';
import type { Database } from '../../db/index.ts';

describe.each(RUN_ENGINES)('the invitation of a referral code on %s', (engine) => {
  let database: Database;
  let server: IdentityServer;
  let paid = { hasUptime: false, hasTraffic: false, hasReferral: false };
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    server = createIdentityServer(database, { readPaidKinds: async () => paid });
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });

  async function codeOf({ userId }: Person): Promise<string> {
    const { rows } = await database.query<{ referral_code: string }>(
      'select referral_code from app_user where id = $1',
      [userId],
    );
    return rows[0]?.referral_code ?? '';
  }
  const show = (code: string, remoteAddress = '203.0.113.1') =>
    server.http.inject({ url: `/user/invitations/${encodeURIComponent(code)}`, remoteAddress });

  test('names who invites, and nothing else of them', async () => {
    const code = await codeOf(await server.register({ nickname: 'Grace' }));
    const nothing = {
      ...{ nickname: 'Grace', is_paying: false },
      ...{ has_uptime: false, has_traffic: false, has_referral: false },
    };
    for (const written of [code, code.toLowerCase()])
      expect((await show(written)).json()).toEqual(nothing);
    paid = { ...paid, hasTraffic: true };
    expect((await show(code)).json()).toEqual({ ...nothing, is_paying: true, has_traffic: true });
    paid = { hasUptime: true, hasTraffic: false, hasReferral: true };
    const all = { ...nothing, is_paying: true, has_uptime: true, has_referral: true };
    expect((await show(code)).json()).toEqual(all);
  });

  test('knows no code of a closed account, and no other', async () => {
    const person = await server.register();
    const code = await codeOf(person);
    await database.query("update app_user set status = 'closed' where id = $1", [person.userId]);
    for (const unknown of [code, 'ABCDEFGH', "' or '1'='1", '%', '\u0000'])
      expect((await show(unknown)).statusCode, unknown).toBe(404);
    expect((await show('A'.repeat(33))).statusCode).toBe(404);
  });

  test('limits guesses of one address, and not the visitors of a link', async () => {
    const code = await codeOf(await server.register());
    const from = '203.0.113.99';
    for (let i = 0; i < 100; i++) expect((await show(code, from)).statusCode).toBe(200);
    for (let i = 0; i < 60; i++) expect((await show(`NOCODE${i}`, from)).statusCode).toBe(404);
    expect((await show(code, from)).json()).toMatchObject({ code: 'rate_limited' });
    expect((await show(code, '198.51.100.99')).statusCode).toBe(200);
  });
});
