/** The whole service in this process, listening on a free port. */

import { type App, createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { findFreePort } from './postgres-server.ts';
import { testConfig, testMasterKey } from './test-config.ts';
import { createTestTokens, type TestTokens } from './tokens.ts';

export interface RunningService {
  readonly app: App;
  readonly config: Config;
  readonly baseUrl: string;
  readonly tokens: TestTokens;
  stop(): Promise<void>;
}

/** Starts the service on a database that its caller closes. */
export async function startService(
  database: Database,
  { env = {}, clock = systemClock }: { env?: Record<string, string>; clock?: Clock } = {},
): Promise<RunningService> {
  const port = await findFreePort();
  const config = testConfig({
    PORT: String(port),
    DATABASE_URL: 'postgres://unused',
    MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
    ...env,
  });
  const app = await createApp({ config, database, masterKey: testMasterKey, clock });
  await app.start();
  await app.http.listen({ host: '127.0.0.1', port });
  return {
    app,
    config,
    baseUrl: config.BASE_URL,
    tokens: createTestTokens(database, { config, clock }),
    stop: () => app.stop(),
  };
}
