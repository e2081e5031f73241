/** Where each GET reads: a new one has to choose, here and at its route. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import type { Route } from './support/documented-routes.ts';
import { readGetSources } from './support/read-sources.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

/** Sign-in, tokens, keys, live connections, and what decides about money or rights. */
const PRIMARY: readonly string[] = [
  '/me/devices',
  '/operator/users/{user_id}/devices',
  '/.well-known/jwks.json',
  '/.well-known/ledger-keys.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/reward-keys.json',
  '/.well-known/reward-roots',
  '/.well-known/webauthn',
  '/address/info',
  '/brand',
  '/brand/logos/{hash}',
  '/currencies',
  '/dev/mail',
  '/healthz',
  '/me',
  '/me/connections',
  '/me/devices/{node_id}',
  '/me/export',
  '/me/notification-preferences',
  '/me/push-subscriptions',
  '/me/second-factors',
  '/me/security-events',
  '/me/sessions',
  '/me/upstream-identities',
  '/metrics',
  '/oauth2/authorize',
  '/oauth2/authorize/consent',
  '/oauth2/authorize/state',
  '/oauth2/authorize/{interaction_id}',
  '/oauth2/device',
  '/oauth2/logos/{hash}',
  '/oauth2/logout',
  '/oauth2/logout/success',
  '/oauth2/userinfo',
  '/operator/brand',
  '/operator/clients',
  '/operator/clients/{client_id}',
  '/operator/devices',
  '/operator/ledger/keys',
  '/operator/payout-approver-keys',
  '/operator/payout-policy',
  '/operator/payout-stops',
  '/operator/resource-servers',
  '/operator/upstream-providers',
  '/payouts/quote',
  '/readyz',
  '/unsubscribe',
  '/user/invitations/{referral_code}',
  '/user/login/upstream',
];
/** Lists, dashboards, exports, statements, and what operators look at. */
const STANDBY: readonly string[] = [
  '/account/asset',
  '/account/bills',
  '/account/bills/export',
  '/account/bills/search',
  '/account/bills/subtotals',
  '/account/info',
  '/account/statement',
  '/bonus-account/asset',
  '/bonus-account/bills',
  '/bonus-account/bills/export',
  '/bonus-account/bills/search',
  '/bonus-account/bills/subtotals',
  '/bonus-account/info',
  '/community/members',
  '/community/members/export',
  '/community/summary',
  '/dashboard/earnings',
  '/dashboard/network-rewards',
  '/dashboard/overview',
  '/deposit/get/{id}',
  '/deposit/records',
  '/me/devices/{node_id}/earnings',
  '/me/devices/{node_id}/refused-reports',
  '/me/devices/{node_id}/usage',
  '/me/notifications',
  '/me/payout-addresses',
  '/me/rewards',
  '/me/rewards/schedule',
  '/me/rewards/{bill_id}/proof',
  '/operator/audit',
  '/operator/audit/export',
  '/operator/chains',
  '/operator/deposits',
  '/operator/deposits/unswept',
  '/operator/device-addresses',
  '/operator/held-rewards',
  '/operator/holds',
  '/operator/ledger/accounts',
  '/operator/ledger/heads',
  '/operator/ledger/journal',
  '/operator/overview',
  '/operator/payouts',
  '/operator/payouts/{id}',
  '/operator/price-feeds',
  '/operator/prices',
  '/operator/purchases',
  '/operator/purchases/{id}',
  '/operator/refused-reports',
  '/operator/refused-reports/counts',
  '/operator/rules',
  '/operator/rules/{version}',
  '/operator/settlements',
  '/operator/statements',
  '/operator/statements/days',
  '/operator/transfers',
  '/operator/transfers/{id}',
  '/operator/users',
  '/operator/users/{user_id}',
  '/operator/users/{user_id}/notes',
  '/operator/users/{user_id}/referrals',
  '/operator/users/{user_id}/security-events',
  '/operator/users/{user_id}/sessions',
  '/operator/users/{user_id}/team',
  '/operator/users/{user_id}/wallets',
  '/operator/wallets',
  '/operator/webhooks',
  '/operator/webhooks/{id}',
  '/operator/webhooks/{id}/deliveries',
  '/operator/webhooks/{id}/deliveries/{delivery_id}',
  '/operator/withdrawals',
  '/operator/withdrawals/{id}',
  '/payouts',
  '/payouts/{id}',
];

const pathOf = ({ name }: Route): string => name.slice('GET '.length);

let database: Database;
let app: App;

beforeAll(async () => {
  database = await openTestDatabase(RUN_ENGINES[0] ?? 'server');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
});
afterAll(async () => {
  await app.http.close();
  await database.close();
});

test('every documented GET reads where it should', async () => {
  const { primary, standby } = await readGetSources(app.http);
  expect(primary.map(pathOf).sort()).toEqual([...PRIMARY].sort());
  expect(standby.map(pathOf).sort()).toEqual([...STANDBY].sort());
});

test('a route that changes something cannot read from a standby', async () => {
  const other = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  const config = { access: 'open', readsFrom: 'standby' } as const;
  expect(() => other.http.post('/changes', { config }, async () => '')).toThrow(
    'POST /changes changes something',
  );
  await other.http.close();
});
