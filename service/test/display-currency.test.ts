/** The currency of wallet totals: that of the setting, which must exist. */
import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { findUser } from '../src/identity/index.ts';
import { installLedger } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { registerWallets } from '../src/wallets/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { asPerson, createTestServer } from './support/test-server.ts';
import { insertUser } from './support/test-users.ts';

test.each(RUN_ENGINES)('totals on %s are in it unless a request names another', async (engine) => {
  const database = await openTestDatabase(engine);
  const clock = createManualClock('2026-11-10T12:00:00Z');
  installLedger(database, { clock, masterKey: testMasterKey });
  const http = createTestServer();
  registerWallets(http, {
    ...{ database, clock, findUser, displayCurrency: 'ETH' },
    baseUrl: 'https://account.edge.example',
    serviceName: () => 'Edge Account',
    isMoneyFrozen: async () => false,
  });
  const headers = asPerson(await insertUser(database), 'account:read');
  const expectIn = async (currency: string, url: string): Promise<void> =>
    expect((await http.inject({ url, headers })).json()).toMatchObject({
      quote_currency: currency,
    });
  await expectIn('ETH', '/account/asset');
  await expectIn('ETH', '/bonus-account/asset');
  await expectIn('USDT', '/account/asset?quoteCurrency=USDT');
  await http.close();
  await database.close();
});

test.each(RUN_ENGINES)('on %s the service refuses one that does not exist', async (engine) => {
  const database = await openTestDatabase(engine);
  const config = testConfig({ DISPLAY_CURRENCY: 'USD' });
  await expect(createApp({ config, database, masterKey: testMasterKey })).rejects.toThrow(
    'DISPLAY_CURRENCY USD does not exist',
  );
  await database.close();
});
