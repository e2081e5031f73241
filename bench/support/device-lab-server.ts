/**
 * The whole service with people who have many devices, for the benchmarks of devices. Writes each
 * device's node ID and token to a file.
 */
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';
import { startControlServer } from './control-server.ts';

export interface DeviceLab {
  readonly baseUrl: string;
  readonly controlUrl: string;
  /** A person's token for each size of account. */
  readonly people: Readonly<Record<string, string>>;
}

const UNLIMITED = '1000000';
const [databaseUrl = '', tokensFile = '', ...sizes] = process.argv.slice(2);

const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
const config = testConfig({
  CONNECTIONS_PER_USER: UNLIMITED,
  CONNECTIONS_PER_ADDRESS: UNLIMITED,
  CONNECTS_PER_SECOND: UNLIMITED,
  MESSAGES_PER_SECOND: UNLIMITED,
});
const app = await createApp({ config, database, masterKey: testMasterKey });
await app.start();
await app.http.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
const tokens = createTestTokens(database, { config });

async function insertDevices(
  userId: number,
  count: number,
): Promise<{ id: number; node_id: string }[]> {
  const { rows } = await database.query<{ id: number; node_id: string }>(
    `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
      capabilities, requested_categories,
       granted_categories, registered_address, created_at, bound_at)
     select 'bench-' || $1::bigint || '-' || n, $1::bigint, 'TERMINAL', 'edge-terminal', '1.2.3',
       'Linux 6.1', 'Europe/Berlin', '{relay,cache}', '{web,video}', '{web}',
       '127.0.0.1', now() - interval '1 day', now() - interval '1 day'
         from generate_series(1, $2::int) as n returning id, node_id`,
    [userId, count],
  );
  return rows;
}

function jtiOf(token: string): string {
  return (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  ).jti;
}

const people: Record<string, string> = {};
const lines: string[] = [];
for (const [i, size] of sizes.entries()) {
  const userId = await insertUser(database);
  people[`${size}#${i}`] = await tokens.person(userId);
  const devices = await insertDevices(userId, Number(size));
  if (tokensFile === '') continue;
  const minted: { token: string; id: number }[] = [];
  for (const { id, node_id: nodeId } of devices)
    minted.push({
      id,
      token: await tokens.person(userId, {
        tokenUse: 'device',
        scopes: ['device:connect'],
        nodeId,
      }),
    });
  lines.push(...minted.map(({ token }) => token));
  await database.query(
    `insert into device_token (jti, device_id, expires_at) select jti, id, now() + interval '1 day'
      from unnest($1::text[], $2::bigint[]) as x (jti, id)`,
    [minted.map(({ token }) => jtiOf(token)), minted.map(({ id }) => id)],
  );
}
await database.query(
  `insert into device_presence (device_id, heard_at, previous_at, address) select id, now(), now(),
    '127.0.0.1' from device`,
);
await database.query(
  `insert into device_usage (device_id, bytes_up, bytes_down) select id, 123456789, 987654321
    from device`,
);
await database.query('vacuum analyze');
if (tokensFile !== '') writeFileSync(tokensFile, lines.join('\n'));

const baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const controlUrl = await startControlServer();
console.log(JSON.stringify({ baseUrl, controlUrl, people } satisfies DeviceLab));

process.once('SIGTERM', async () => {
  await app.stop();
  await database.close();
  process.exit(0);
});
