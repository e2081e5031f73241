/** Every scope there is, in words. */

/** What people's tokens can carry. */
export const SCOPES = {
  openid: 'Know who you are',
  profile: 'See your nickname',
  email: 'See your email address',
  groups: 'See the groups that the operator assigned to you',
  roles: 'See your roles in this application',
  offline_access: 'Stay signed in while you are away',
  'account:read': 'See your balances, activity and deposits',
  'wallet:write': 'Convert and withdraw from your wallets',
  'devices:read': 'See your devices',
  'devices:write': 'Rename, disconnect and delete your devices',
  'community:read': 'See your referrals and their performance',
  'community:write': 'Write notes on your referrals',
  'dashboard:read': 'See your earnings and statistics',
  'device:connect': 'Connect this device to the network in your name',
  'identity:manage': 'Change your password, factors and sessions',
} as const satisfies Record<string, string>;

/** What operators' clients, and people who are operators, can do. */
export const OPERATOR_SCOPE_TEXTS = {
  'operator:rewards': 'Pay rewards',
  'operator:transfers': 'Post and reverse transfers, and add wallet kinds',
  'operator:withdrawals': 'Hold, settle and cancel withdrawals',
  'operator:payouts': 'Approve and reject payouts, and change their policy',
  'operator:payouts-sign': 'Take approved payouts and report their transactions, as the signer',
  'operator:traffic': 'Report measured traffic',
  'operator:purchases': 'Record and refund purchases',
  'operator:deposits': 'Hold, release and reject deposits',
  'operator:held-rewards': 'Release rewards that are held',
  'operator:prices': 'Set prices and their feeds',
  'operator:rules':
    'Draft, try and activate reward rules, close settlements, and release held rewards',
  'operator:clients': 'Register and change OAuth clients',
  'operator:read': 'See what any operator sees, and change nothing',
  'operator:overview': 'See figures and alerts of the whole network',
  'operator:audit': 'Read the audit log',
  'operator:users': 'Find people, disable and enable them',
  'operator:webhooks': 'Configure webhooks',
  'operator:chains': 'Configure networks and currencies, and review deposits',
  'operator:brand': 'Set name, logo, accent, texts and the sender of mails',
  'operator:ledger': 'Read statements and the journal, and sign heads',
  'operator:metrics': 'Read the metrics of an instance',
} as const satisfies Record<string, string>;

export const OPERATOR_SCOPES = Object.keys(
  OPERATOR_SCOPE_TEXTS,
) as (keyof typeof OPERATOR_SCOPE_TEXTS)[];

/** Of applications: for the person's own token they open nothing. */
const APPLICATION_SCOPES: ReadonlySet<string> = new Set(['offline_access', 'groups', 'roles']);

/** A signed-in person may do all that people may. */
export const BUSINESS_SCOPES: readonly string[] = Object.keys(SCOPES).filter(
  (scope) => !APPLICATION_SCOPES.has(scope),
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
