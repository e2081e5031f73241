/**
 * What an operator of a network does in a week, through the API: the audit log has its entries from
 * there.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readConfig } from '../../../service/src/config.ts';
import { openEmbedded } from '../../../service/src/db/index.ts';
import { loadMasterKey } from '../../../service/src/master-key.ts';
import { OPERATOR_SCOPES } from '../../../service/src/oidc/index.ts';
import { type CallOptions, expectOk } from '../../../service/test/demo/http-client.ts';
import { runCommand, type ServiceProcess } from '../../../service/test/support/service-process.ts';
import { createTestTokens } from '../../../service/test/support/tokens.ts';
import { type Operator, signUpByApi } from './seed.ts';
import type { SeededAccount } from './seed-account.ts';
import { newPerson, type Person } from './user-flows.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/147.0.0.0 Safari/537.36';

/** A token of a new operator. The service has an embedded database, and stops meanwhile. */
async function signInOperator(service: ServiceProcess, person: Person): Promise<string> {
  const { userId } = await signUpByApi(service.baseUrl, person);
  await service.stop();
  const { stdout } = await runCommand(['operator', 'grant', person.email], service.env);
  if (!stdout.includes('may act as an operator')) throw new Error(`not granted: ${stdout}`);
  const config = readConfig({ ...service.env });
  const database = await openEmbedded({ directory: join(config.DATA_DIR, 'database') });
  try {
    return await createTestTokens(database, {
      config,
      masterKey: loadMasterKey(config),
    }).person(userId, { scopes: OPERATOR_SCOPES, authTime: new Date() });
  } finally {
    await database.close();
    await service.start();
  }
}

type Method = NonNullable<CallOptions['method']>;

/** A request of an operator to a path below `/operator`. */
export type SendAsOperator = <T>(method: Method, path: string, body?: object) => Promise<T>;

export function createSend({ baseUrl, token }: Operator): SendAsOperator {
  return <T>(method: Method, path: string, body: object = {}) =>
    expectOk<T>(`${baseUrl}/operator${path}`, {
      ...{ method, token, ...(method !== 'GET' && { body }) },
      headers: { 'user-agent': BROWSER, 'idempotency-key': randomUUID() },
    });
}

/**
 * Changes people, an application, a webhook and payouts; what it adds, it deletes again.
 * @returns how the operator continues
 */
export async function seedChanges(
  service: ServiceProcess,
  { friends }: SeededAccount,
  operator: Person = newPerson('Hopper'),
): Promise<SendAsOperator> {
  const token = await signInOperator(service, operator);
  const send = createSend({ baseUrl: service.baseUrl, token });
  const [first, second] = friends.map(({ userId }) => `/users/${userId}`);
  await send('PUT', `${first}/groups`, { groups: ['beta', 'staff'] });
  await send('POST', `${second}/disable`, { reason: 'Two accounts share a device' });
  await send('POST', `${second}/notes`, { text: 'Sent the receipt of the device.' });
  await send('POST', `${second}/enable`, { reason: 'The receipt is genuine' });
  await send('PUT', `${first}/groups`, { groups: ['staff'] });
  const client = await send<{ client_id: string }>('POST', '/clients', {
    ...{ client_name: 'Fleet', type: 'confidential', scopes: ['openid', 'devices:read'] },
    ...{ redirect_uris: ['https://fleet.example/back'], grant_types: ['authorization_code'] },
  });
  const application = `/clients/${client.client_id}`;
  await send('PATCH', application, { client_name: 'Fleet manager', scopes: ['openid'] });
  await send('POST', `${application}/secret`);
  await send('DELETE', application);
  const webhook = await send<{ id: number }>('POST', '/webhooks', {
    ...{ url: 'https://books.example/edge', description: 'Bookkeeping' },
    event_types: ['deposit.*'],
  });
  await send('POST', `/webhooks/${webhook.id}/rotate-secret`);
  await send('DELETE', `/webhooks/${webhook.id}`);
  await send('PUT', '/payout-stops/USDT', { reason: 'The hot wallet is moved' });
  await send('DELETE', '/payout-stops/USDT');
  return send;
}
