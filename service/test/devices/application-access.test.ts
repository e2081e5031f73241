/** When a user revokes an application, or the operator removes it, its live connections end. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../support/databases.ts';
import { BEAT, connectTo } from '../support/device-node.ts';
import { type OidcKit, openOidcKit, REDIRECT } from '../support/oidc-fixture.ts';

const SCOPE = 'openid device:connect';

describe.each(RUN_ENGINES)('the access of an application on %s', (engine) => {
  let kit: OidcKit;
  let operator: string;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    operator = await kit.tokens.operator('operator:clients');
  });
  afterAll(() => kit.stop());

  async function ask(
    method: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<Record<string, string>> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(kit.baseUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${method} ${path}`).toBe(true);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, string>);
  }

  let devices = 0;
  /** A connected device that signed in through an application, with the token of its owner. */
  async function connect(clientId: string, redirectUri = REDIRECT) {
    const { body, login } = await kit.newTokens(SCOPE, clientId, redirectUri);
    const token = body.access_token ?? '';
    await ask('PUT', `/me/devices/through-${clientId}-${++devices}`, token, {
      device_type: 'TERMINAL',
    });
    const client = connectTo(`${kit.baseUrl.replace('http', 'ws')}/me/devices/connect`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await client.opened;
    return { ...client, person: login.accessToken };
  }

  async function expectAlive({
    socket,
    messages,
  }: Awaited<ReturnType<typeof connect>>): Promise<void> {
    const before = messages.length;
    socket.send(BEAT);
    await expect.poll(() => messages.slice(before)).toEqual([{ type: 'beat' }]);
  }

  test('ends only its own live connections, with 4401, when access is revoked', async () => {
    const [shut, witness] = [await connect('app'), await connect('other', 'https://other.test/cb')];
    await ask('DELETE', '/me/connections/app', shut.person);
    expect(await shut.closed).toEqual({
      code: 4401,
      reason: 'its owner took the access of the application back',
    });
    await expectAlive(witness);
    witness.socket.terminate();
  });

  test.each([
    [
      'disables',
      'PATCH',
      { enabled: false },
      'the operator changed the permissions of the application',
    ],
    ['removes', 'DELETE', undefined, 'the operator removed the application'],
  ] as const)('ends them when the operator %s it', async (_how, method, change, reason) => {
    const made = await ask('POST', '/operator/clients', operator, {
      client_name: 'Fleet',
      type: 'public',
      redirect_uris: [REDIRECT],
      scopes: SCOPE.split(' '),
      grant_types: ['authorization_code'],
    });
    const clientId = made.client_id ?? '';
    const [ended, witness] = [
      await connect(clientId),
      await connect('other', 'https://other.test/cb'),
    ];
    await ask(method, `/operator/clients/${clientId}`, operator, change);
    expect(await ended.closed).toEqual({ code: 4401, reason });
    await expectAlive(witness);
    witness.socket.terminate();
  });
});
