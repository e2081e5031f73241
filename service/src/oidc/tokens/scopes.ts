/** Every scope there is, in words. */

/** What people's tokens can carry. */
export const SCOPES = {
  openid: 'Know who you are',
  profile: 'See your nickname',
  email: 'See your email address',
  offline_access: 'Stay signed in while you are away',
  'account:read': 'See your balances, bills and deposits',
  'wallet:write': 'Convert and withdraw from your wallets',
  'devices:read': 'See your devices',
  'devices:write': 'Rename, disconnect and delete your devices',
  'community:read': 'See your referrals and their performance',
  'community:write': 'Write notes on your referrals',
  'dashboard:read': 'See your earnings and statistics',
  'device:connect': 'Connect this device to the network in your name',
  'identity:manage': 'Change your password, factors and sessions',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

/** What operators' clients, and people who are operators, can do. */
export const OPERATOR_SCOPES = [
  'operator:rewards',
  'operator:transfers',
  'operator:withdrawals',
  'operator:traffic',
  'operator:purchases',
  'operator:prices',
  'operator:rules',
  'operator:clients',
  'operator:users',
  'operator:webhooks',
  'operator:chains',
  'operator:ledger',
  'operator:metrics',
] as const;

/** A signed-in person may do all that people may. */
export const BUSINESS_SCOPES: readonly string[] = Object.keys(SCOPES).filter(
  (scope) => scope !== 'offline_access',
);

/** The device token of a login connects and reads; it writes nothing. */
export const DEVICE_SCOPES: readonly string[] = [
  'openid',
  'account:read',
  'devices:read',
  'community:read',
  'dashboard:read',
  'device:connect',
];

/** Splits a scope parameter; doubles fall together. */
export function splitScopes(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
}
