/**
 * Every GET of the contract, with the parameters that make it work most, and some that people use
 * every day.
 */

export interface ContractRead {
  /** As printed: the path, and what is special. */
  readonly name: string;
  readonly path: string;
  /** Status of the answer; default 200. */
  readonly status?: number;
}

export interface ReadsOf {
  readonly depositId: number;
  readonly clientId: string;
  readonly redirectUri: string;
}

const PAGE = 'current=1&size=20';
/** The last page of 10,000 bills, or one past the end in a first look. */
const DEEP_PAGE = 'current=500&size=20';
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

function dayOf(now: Date, daysAgo: number): string {
  return new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length);
}

function authorizeQuery({ clientId, redirectUri }: ReadsOf): string {
  return new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid account:read',
    state: 'state',
    nonce: 'nonce',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString();
}

/** Both wallets have the same reads. */
function readsOfWallet(
  wallet: 'account' | 'bonus-account',
  businessId: string,
  now: Date,
): ContractRead[] {
  const filter =
    `currency=EDGE&amountDirection=1&businessId=${businessId}` +
    `&beginTime=${dayOf(now, YEAR_DAYS)}&endTime=${dayOf(now, 0)}`;
  return [
    { name: `/${wallet}/info`, path: `/${wallet}/info` },
    { name: `/${wallet}/info, one currency`, path: `/${wallet}/info?currency=EDGE` },
    { name: `/${wallet}/bills, first page`, path: `/${wallet}/bills?${PAGE}` },
    { name: `/${wallet}/bills, page 500`, path: `/${wallet}/bills?${DEEP_PAGE}` },
    { name: `/${wallet}/bills, all filters`, path: `/${wallet}/bills?${PAGE}&${filter}` },
    { name: `/${wallet}/asset`, path: `/${wallet}/asset` },
  ];
}

/** @param now what the clock of the service says */
export function contractReads(of: ReadsOf, now = new Date()): ContractRead[] {
  const members = '/community/members';
  return [
    { name: '/.well-known/jwks.json', path: '/.well-known/jwks.json' },
    { name: '/.well-known/openid-configuration', path: '/.well-known/openid-configuration' },
    {
      name: '/oauth2/authorize (302)',
      path: `/oauth2/authorize?${authorizeQuery(of)}`,
      status: 302,
    },
    ...readsOfWallet('account', 'adjustment', now),
    ...readsOfWallet('bonus-account', 'reward', now),
    { name: '/me/devices', path: '/me/devices' },
    { name: '/address/info', path: '/address/info?currency=USDT&currencyNetWork=ETHEREUM' },
    { name: '/deposit/records', path: `/deposit/records?${PAGE}` },
    { name: '/deposit/get/{id}', path: `/deposit/get/${of.depositId}` },
    { name: `${members}, direct`, path: `${members}?${PAGE}` },
    { name: `${members}, whole downline`, path: `${members}?${PAGE}&type=COMMUNITY` },
    { name: `${members}, keyword`, path: `${members}?${PAGE}&type=COMMUNITY&keyword=member` },
    { name: `${members}/export`, path: `${members}/export?type=COMMUNITY` },
    { name: '/dashboard/overview', path: '/dashboard/overview' },
    { name: '/dashboard/network-rewards', path: '/dashboard/network-rewards' },
    { name: '/dashboard/earnings, 30 days', path: '/dashboard/earnings' },
    {
      name: '/dashboard/earnings, 366 days',
      path: `/dashboard/earnings?beginDate=${dayOf(now, YEAR_DAYS)}&endDate=${dayOf(now, 0)}`,
    },
  ];
}

/** Reads beyond the contract whose tables grow with time. */
export function longReads(now: Date): ContractRead[] {
  return [
    '/me/rewards?current=1&size=20',
    '/me/rewards/schedule',
    '/me/devices/node-3/earnings',
    '/me/devices/node-3/usage',
    '/me/sessions',
    '/me/security-events?current=1&size=20',
    '/me/notifications',
    `/.well-known/reward-roots?${PAGE}`,
    '/operator/overview',
    `/operator/settlements?${PAGE}`,
    '/operator/ledger/accounts',
    '/operator/ledger/heads?size=20',
    '/operator/audit?size=20',
    `/operator/statements?house=reward_pool&currency=EDGE&${PAGE}`,
    `/operator/statements/days?house=reward_pool&currency=EDGE&beginTime=${dayOf(now, 30)}` +
      `&endTime=${dayOf(now, 0)}`,
    '/operator/devices?size=20',
    `/operator/held-rewards?${PAGE}`,
    '/operator/transfers?size=20',
    '/operator/holds?size=20',
    '/operator/purchases?size=20',
  ].map((path) => ({ name: path.split('?')[0] ?? path, path }));
}
