/**
 * Two servers of event streams, selected by the first argument: the whole service, and the least
 * that Node can do.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';

export interface StreamsServer {
  readonly pid: number;
  readonly port: number;
  readonly tokens: readonly string[];
}

/** Each may hold twenty streams. */
const PEOPLE = 500;

const [kind = '', databaseUrl = ''] = process.argv.slice(2);

function print(port: number, tokens: readonly string[]): void {
  const ready: StreamsServer = { pid: process.pid, port, tokens };
  console.log(JSON.stringify(ready));
}

async function serveOurs(): Promise<void> {
  const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
  await migrate(database);
  const config = testConfig();
  const app = await createApp({ config, database, masterKey: testMasterKey });
  await app.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const issuer = createTestTokens(database, { config });
  const tokens: string[] = [];
  for (let n = 0; n < PEOPLE; n++) tokens.push(await issuer.person(await insertUser(database)));
  process.once('SIGTERM', () => process.exit(0));
  print((app.http.server.address() as AddressInfo).port, tokens);
}

function serveBare(): void {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: ready\ndata: {}\n\n');
  });
  process.once('SIGTERM', () => process.exit(0));
  server.listen(0, '127.0.0.1', () => print((server.address() as AddressInfo).port, ['none']));
}

if (kind === 'ours') await serveOurs();
else serveBare();
