import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askToken } from '../../../test/support/browser-flow.ts';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { type RunningService, startService } from '../../../test/support/running-service.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import type { Database } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createClient } from '../clients/index.ts';
import { DEVICE_CODE } from '../clients/types.ts';

describe.each(RUN_ENGINES)('polls of devices on %s', (engine) => {
  // Ahead of the wall clock, by which the library determines what has expired.
  const clock = createManualClock(new Date(Date.now() + 60_000));
  let database: Database;
  let here: RunningService;
  let there: RunningService;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    here = await startService(database, { clock });
    there = await startService(database, { clock, env: { BASE_URL: here.baseUrl } });
    const fields = {
      isPublic: true,
      isFirstParty: false,
      redirectUris: [],
      scopes: ['openid', 'devices:read'],
      grantTypes: [DEVICE_CODE],
    } as const;
    for (const clientId of ['terminal', 'other'])
      await createClient(database, clock, { ...fields, clientId, name: clientId });
  });
  afterAll(async () => {
    await here.stop();
    await there.stop();
    await database.close();
  });

  const urlOf = (service: RunningService): string => `http://127.0.0.1:${service.config.PORT}`;
  async function begin() {
    const body = new URLSearchParams({ client_id: 'terminal', scope: 'openid devices:read' });
    const begun = await fetch(`${urlOf(here)}/oauth2/device_authorization`, {
      method: 'POST',
      body,
    });
    const { device_code, user_code, interval } = (await begun.json()) as {
      device_code: string;
      user_code: string;
      interval: number;
    };
    expect(interval).toBe(5);
    const poll = async (service = here, client_id = 'terminal') =>
      (await askToken(urlOf(service), { grant_type: DEVICE_CODE, client_id, device_code })).body
        .error ?? 'tokens';
    return { user_code, poll };
  }

  test('one that is early slows down by five seconds each time, at any instance', async () => {
    const { poll } = await begin();
    expect(await poll()).toBe('authorization_pending');
    clock.advance(5000);
    expect(await poll()).toBe('authorization_pending');
    // Slightly faster in transit than the previous request.
    clock.advance(4600);
    expect(await poll(there)).toBe('authorization_pending');
    clock.advance(3000);
    expect(await poll(here)).toBe('slow_down');
    // Ten seconds from now on, also where the hint was not sent.
    clock.advance(5000);
    expect(await poll(there)).toBe('slow_down');
    clock.advance(14_000);
    expect(await poll(here)).toBe('slow_down');
    clock.advance(20_000);
    expect(await poll(there)).toBe('authorization_pending');
    clock.advance(19_000);
    expect(await poll(here)).toBe('slow_down');
  });

  test('attack: of 16 polls at once one waits, and each of the others slows down', async () => {
    const { poll } = await begin();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => poll(i % 2 === 0 ? here : there)),
    );
    expect(answers.filter((answer) => answer === 'authorization_pending')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'slow_down')).toHaveLength(15);
    clock.advance(79_000);
    expect(await poll()).toBe('slow_down');
    clock.advance(85_000);
    expect(await poll()).toBe('authorization_pending');
  });

  test('another client causes no delay, and after the decision no wait is needed', async () => {
    const { poll, user_code } = await begin();
    expect(await poll()).toBe('authorization_pending');
    for (let i = 0; i < 3; i++) expect(await poll(here, 'other')).toBe('invalid_grant');
    clock.advance(5000);
    expect(await poll()).toBe('authorization_pending');
    const { accessToken } = await here.tokens.login(await insertUser(database));
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ user_code, decision: 'allow' });
    expect(
      (await fetch(`${urlOf(there)}/oauth2/device`, { method: 'POST', headers, body })).status,
    ).toBe(204);
    expect(await poll()).toBe('tokens');
  });
});
