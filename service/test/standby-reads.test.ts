/** An instance serves, too, when `DATABASE_READ_URL` leads to no standby, or to nothing. */
import { expect, test } from 'vitest';
import { addReplica, openServer } from '../src/db/index.ts';
import { createServerDatabase } from './support/databases.ts';
import { findFreePort } from './support/postgres-server.ts';
import { startService } from './support/running-service.ts';
import { insertUser } from './support/test-users.ts';

const onError = (): void => {};

async function readFrom(state: 'promoted' | 'unreachable') {
  const primaryUrl = await createServerDatabase();
  const url = new URL(primaryUrl);
  if (state === 'unreachable') url.port = String(await findFreePort());
  const primary = await openServer({ url: primaryUrl, poolSize: 4, onError });
  const database = await addReplica(primary, { url: url.href, primaryUrl, poolSize: 2, onError });
  const service = await startService(database, { env: { LOG_LEVEL: 'silent' } });
  try {
    const { accessToken } = await service.tokens.login(await insertUser(database));
    const metricsToken = await service.tokens.operator('operator:metrics');
    const read = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return fetch(`${service.baseUrl}${path}`, { headers });
    };
    expect((await read('/dashboard/overview', accessToken)).status).toBe(200);
    expect(await (await read('/readyz')).json()).toMatchObject({
      ...{ status: 'ok', reads_from: 'primary', standby: state },
    });
    return await (await read('/metrics', metricsToken)).text();
  } finally {
    await service.stop();
    await database.close();
  }
}

test.each(['promoted', 'unreachable'] as const)('a standby that is %s', async (state) => {
  const metrics = await readFrom(state);
  expect(metrics).toContain(`edge_account_standby_state{state="${state}"} 1`);
  expect(metrics).toContain('edge_account_standby_state{state="ready"} 0');
  expect(metrics).toContain(`edge_account_standby_reads_total{answered="${state}"} 1`);
  expect(metrics).toContain('edge_account_standby_reads_total{answered="standby"} 0');
});
