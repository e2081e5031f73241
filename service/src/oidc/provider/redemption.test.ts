import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken, newPkce } from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit, REDIRECT } from '../../../test/support/oidc-fixture.ts';
import { transaction } from '../../db/index.ts';
import { endAllSessions, endSession, revoke } from '../../identity/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { hashSecret } from '../../lib/ids.ts';

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));
const OFFLINE = 'openid account:read device:connect offline_access';

describe.each(RUN_ENGINES)('codes and refresh tokens on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
  });
  afterAll(() => kit.stop());

  test('checklist 4: attack: 16 redemptions at once: one 200, its family ends', async () => {
    // Repeated, because the result depends on milliseconds.
    for (let round = 0; round < 10; round++) {
      const { form } = await kit.newCode(OFFLINE);
      const answers = await times(16, () => askToken(kit.baseUrl, form));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(
        answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant'),
      ).toHaveLength(15);
      await expect.poll(() => kit.callApi(good[0]?.body.access_token ?? '')).toBe(401);
      expect((await kit.refresh(good[0]?.body.refresh_token ?? '')).status).toBe(400);
    }
  });

  test('checklist 6: attack: 16 parallel uses of one refresh token: one successor', async () => {
    const { body } = await kit.newTokens(OFFLINE);
    const answers = await times(16, () => kit.refresh(body.refresh_token ?? ''));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map((answer) => answer.body.refresh_token));
    expect(successors.size).toBe(1);
    expect(successors.has(body.refresh_token)).toBe(false);
    expect((await kit.refresh([...successors][0] ?? '')).status).toBe(200);
  });

  test('checklist 6: attack: a refresh token used after its grace ends its family', async () => {
    const { body } = await kit.newTokens(OFFLINE);
    const next = await kit.refresh(body.refresh_token ?? '');
    expect(next.status).toBe(200);
    await kit.database.query(
      `update oidc_object set consumed_at = consumed_at - interval '31 seconds'
       where model = 'RefreshToken' and consumed_at is not null`,
    );
    expect(await kit.refresh(body.refresh_token ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await kit.refresh(next.body.refresh_token ?? '')).status).toBe(400);
    await expect.poll(() => kit.callApi(next.body.access_token ?? '')).toBe(401);
  });

  test('checklist 6: attack: a refresh token of another client, or for more scope', async () => {
    const { body } = await kit.newTokens(OFFLINE);
    expect(await kit.refresh(body.refresh_token ?? '', 'other')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const wider = await kit.refresh(body.refresh_token ?? '', 'app', {
      scope: 'account:read devices:write',
    });
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const narrower = await kit.refresh(body.refresh_token ?? '', 'app', { scope: 'account:read' });
    expect(narrower).toMatchObject({ status: 200, body: { scope: 'account:read' } });
  });

  test('checklist 6: a family of refresh tokens ends 90 days after the consent', async () => {
    const { body } = await kit.newTokens(OFFLINE);
    const { REFRESH_TOKEN_MAX_TTL, REFRESH_TOKEN_TTL } = kit.service.config;
    const age = (seconds: number) =>
      kit.database.query(
        `update oidc_object
         set payload = jsonb_set(
           payload::jsonb, '{iiat}', to_jsonb((payload->>'iiat')::int - $1::int))::json
         where model = 'RefreshToken'`,
        [seconds],
      );
    const life = async (token = '') => {
      const { rows } = await kit.database.query<{ left: number }>(
        `select extract(epoch from expires_at - now())::float8 as left
         from oidc_object where id = $1`,
        [hashSecret(token)],
      );
      return rows[0]?.left ?? 0;
    };
    expect(await life(body.refresh_token)).toBeGreaterThan(REFRESH_TOKEN_TTL - 60);
    await age(REFRESH_TOKEN_MAX_TTL - 1000);
    const next = await kit.refresh(body.refresh_token ?? '');
    expect(next.status).toBe(200);
    expect(await life(next.body.refresh_token)).toBeLessThanOrEqual(1000);
    expect(await life(next.body.refresh_token)).toBeGreaterThan(0);
  });

  test('checklist 3 and 4: attack: foreign client, redirect, verifier; expired code', async () => {
    for (const change of [
      { client_id: 'other' },
      { redirect_uri: `${REDIRECT}/` },
      { code_verifier: newPkce().verifier },
      { code_verifier: '' },
    ]) {
      const { form } = await kit.newCode();
      expect((await askToken(kit.baseUrl, { ...form, ...change })).status).toBe(400);
      // A wrong guess has no effect on the owner of the verifier.
      expect((await askToken(kit.baseUrl, form)).status).toBe(200);
    }
    const { form } = await kit.newCode();
    await kit.database.query(
      `update oidc_object set expires_at = now() - interval '1 second'
       where model = 'AuthorizationCode'`,
    );
    expect(await askToken(kit.baseUrl, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('a logout before redemption invalidates the code', async () => {
    const { form, login } = await kit.newCode();
    await transaction(kit.database, (tx) =>
      endSession(tx, systemClock, { sid: login.sid, reason: 'logout' }),
    );
    expect(await askToken(kit.baseUrl, form)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('a logout ends the tokens of its sid; an offline grant ends by “everywhere”', async () => {
    const { body, login } = await kit.newTokens(OFFLINE);
    await transaction(kit.database, (tx) =>
      endSession(tx, systemClock, { sid: login.sid, reason: 'logout' }),
    );
    await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
    const next = await kit.refresh(body.refresh_token ?? '');
    expect(next.status).toBe(200);
    const claims = JSON.parse(
      Buffer.from(next.body.access_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;
    expect(claims).not.toHaveProperty('sid');
    expect(await kit.callApi(next.body.access_token ?? '')).toBe(200);
    await transaction(kit.database, (tx) =>
      endAllSessions(tx, systemClock, { userId: kit.userId, reason: 'logout_everywhere' }),
    );
    await expect.poll(() => kit.callApi(next.body.access_token ?? '')).toBe(401);
    expect((await kit.refresh(next.body.refresh_token ?? '')).status).toBe(400);
  });

  test('attack: a refreshed token after its grant was cut off', async () => {
    const { body } = await kit.newTokens(OFFLINE);
    const claims = JSON.parse(
      Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString(),
    ) as { grant_id: string };
    const until = new Date(Date.now() + 3_600_000);
    await transaction(kit.database, (tx) =>
      revoke(tx, systemClock, {
        kind: 'grant',
        value: claims.grant_id,
        reason: 'disconnected',
        until,
      }),
    );
    expect((await kit.refresh(body.refresh_token ?? '')).status).toBe(400);
    await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
  });

  test('codes and tokens are stored by hash only', async () => {
    const { form } = await kit.newCode(OFFLINE);
    const { body } = await askToken(kit.baseUrl, form);
    const { rows } = await kit.database.query<{ text: string }>(
      'select id || payload::text as text from oidc_object',
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).not.toContain(form.code);
    expect(all).not.toContain(body.refresh_token);
  });

  test('the contract: authorization_code stands for code; both at once are 400', async () => {
    const { form } = await kit.newCode();
    const { grant_type: _, code, ...rest } = form;
    const ask = async (more: Record<string, string>) => {
      const response = await fetch(`${kit.baseUrl}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...rest, ...more }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(await ask({ authorization_code: code, code })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    const { status, body } = await ask({ authorization_code: code });
    expect(status).toBe(200);
    expect(body.device_token).toBe(body.access_token);
    expect(Object.values(body)).not.toContain(null);
  });
});
