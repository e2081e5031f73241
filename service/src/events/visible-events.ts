/** A token sees of its owner's events what it may read otherwise. */

/** First word of an event's type → the scope that shows it. */
const SCOPES: Readonly<Record<string, string>> = {
  device: 'devices:read',
  traffic: 'devices:read',
  reward: 'dashboard:read',
  rewards: 'dashboard:read',
  referral: 'community:read',
  community: 'community:read',
  session: 'identity:manage',
  security: 'identity:manage',
  user: 'identity:manage',
};
const DEFAULT_SCOPE = 'account:read';

/** True when a token with these scopes may see events of this type. */
export function isVisible(type: string, scopes: ReadonlySet<string>): boolean {
  return scopes.has(SCOPES[type.split('.', 1)[0] ?? ''] ?? DEFAULT_SCOPE);
}
