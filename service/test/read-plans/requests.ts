/** Every GET of the service as callers send it, with the limit of its reads. */
import { auditRequests } from './audit-requests.ts';
import { operatorDeviceRequests } from './device-requests.ts';
import type { Earner } from './fill-ledger.ts';
import { ledgerRequests } from './ledger-requests.ts';
import { moneyRequests } from './money-requests.ts';
import { supportRequests } from './support-requests.ts';
import { webhookRequests } from './webhook-requests.ts';

/** The limit of the reads of all statements of a request, in a ledger of any size. */
interface Limit {
  readonly blocks: number;
  readonly rows: number;
}

export interface Request extends Limit {
  /** As in the OpenAPI document. */
  readonly route: string;
  readonly url: string;
}

/** Routes that read only rows made for one caller, or no database; with the reason. */
export const NOT_READ: Readonly<Record<string, string>> = {
  'GET /healthz': 'reads no database',
  'GET /unsubscribe': 'reads no database',
  'GET /readyz': 'asks for the time only',
  'GET /.well-known/oauth-authorization-server': 'made of the configuration',
  'GET /.well-known/webauthn': 'made of the configuration',
  'GET /.well-known/reward-keys.json': 'made of the master key',
  'GET /oauth2/authorize/{interaction_id}': 'a flow of one browser, found by its key',
  'GET /oauth2/authorize/consent': 'a flow of one browser, found by its key',
  'GET /oauth2/authorize/state': 'a flow of one browser, found by its key',
  'GET /oauth2/logos/{hash}': 'one image, found by its hash',
  'GET /brand': 'kept in memory',
  'GET /brand/logos/{hash}': 'one image, found by its hash',
  'GET /oauth2/device': 'a flow of one device, found by its code',
  'GET /oauth2/userinfo': 'wants the token of a flow',
  'GET /metrics': 'figures of the process and of small queues',
  'GET /dev/mail': 'the mailbox of a developer',
  'GET /me/export': 'everything of one user, page by page; its test reads the plans',
  'GET /me/events': 'a stream; its tests are those of events/',
  'GET /me/devices/connect': 'an upgrade to a socket',
  'GET /oauth2/logout': 'one request, found by its key',
  'GET /oauth2/logout/success': 'a page without a query',
  'GET /operator/payout-approver-keys':
    'takes the token of an operator with a second factor; reads what `GET /me/second-factors` does',
  'GET /operator/deposits/unswept':
    'asks a chain; goes through every address, 200 in a statement, and its caller waits for that',
  'GET /operator/device-addresses':
    'an index of all devices: on purpose, for people who look, on the standby',
  'GET /operator/ledger/journal': 'the whole ledger, piece by piece: on purpose',
};

const DAY_MS = 86_400_000;
const dayBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);

const BUSINESSES = [
  'deposit',
  'withdrawal',
  'package_purchase',
  'referral_reward',
  'conversion_in',
  'conversion_out',
  'reward',
  'adjustment',
];

/** Every combination of filters of a list of bills. */
function billFilters(now: Date): string[] {
  const choices = [
    ['', '&currency=EDGE', '&currency=ETH'],
    ['', '&amountDirection=1', '&amountDirection=2'],
    ['', ...BUSINESSES.map((business) => `&businessId=${business}`)],
    ['', `&beginTime=${dayBefore(now, 90)}&endTime=${dayBefore(now, 30)}`],
  ];
  return choices.reduce(
    (made, next) => made.flatMap((head) => next.map((tail) => head + tail)),
    [''],
  );
}

/**
 * Twenty bills in as many blocks of 256, and the counts of all complete blocks, each with a dozen
 * rows at most.
 */
const filteredPage = (bills: number): Limit => ({
  blocks: 3_000 + Math.ceil(bills / 100),
  rows: 6_000 + Math.ceil(bills / 20),
});

/** All combinations for one wallet of the user with most bills; every seventh elsewhere. */
function filtersFor(wallet: string, bills: number, now: Date): string[] {
  const all = billFilters(now).slice(1);
  return wallet === 'bonus-account' && bills >= 5_000
    ? all
    : all.filter((_, index) => index % 7 === 0);
}

function billRequests({ bills }: Earner, now: Date): Request[] {
  const last = Math.max(1, Math.floor(bills / 25));
  return ['account', 'bonus-account'].flatMap((wallet) => {
    const route = `GET /${wallet}/bills`;
    const filtered = { route, ...filteredPage(bills) };
    return [
      ...[1, 2, last].map((page) => ({
        route,
        url: `/${wallet}/bills?current=${page}&size=20`,
        blocks: 350,
        rows: 200,
      })),
      ...filtersFor(wallet, bills, now).map((filter) => ({
        ...filtered,
        url: `/${wallet}/bills?current=1&size=20${filter}`,
      })),
      {
        ...filtered,
        url: `/${wallet}/bills?current=${Math.ceil(last / 4)}&size=20&businessId=reward`,
      },
      ...[
        'currency=EDGE',
        'amountDirection=2',
        'businessId=reward',
        `beginTime=${dayBefore(now, 90)}&endTime=${dayBefore(now, 30)}`,
      ].map((filter) => ({
        route: `${route}/export`,
        url: `/${wallet}/bills/export?${filter}`,
        blocks: 2_000 + bills * 8,
        rows: 2_000 + bills * 4,
      })),
    ];
  });
}

/** Looks through 2,000 bills at most, each with its transfer; a number is found by its key. */
function searchRequests(now: Date): Request[] {
  const days = `beginTime=${dayBefore(now, 90)}&endTime=${dayBefore(now, 30)}`;
  return ['account', 'bonus-account'].flatMap((wallet) =>
    [
      ...['text=nothing', 'text=57.26&size=1', 'text=33', 'text=nothing&codes=UPTIME&cursor=1500'],
      `text=nothing&currency=EDGE&amountDirection=1&businessId=reward&${days}`,
    ].map((query) => ({
      route: `GET /${wallet}/bills/search`,
      url: `/${wallet}/bills/search?${query}`,
      blocks: 10_500,
      rows: 4_500,
    })),
  );
}

/** Twenty days of a wallet, with a gap of a day between each. */
function subtotalRequests(now: Date): Request[] {
  const intervals = Array.from({ length: 20 }, (_, at) => {
    const [begin, end] = [dayBefore(now, 2 * at + 1), dayBefore(now, 2 * at)];
    return `${begin}T00:00:00.000Z/${end}T00:00:00.000Z`;
  });
  // Forty binary searches, and at the end of each the last entry of every currency: two blocks of
  // 256 entries at most, so 40 * 3 * 512 in the worst case. Few wallets come near: a currency with
  // a bill a day is found at once.
  return ['account', 'bonus-account'].map((wallet) => ({
    route: `GET /${wallet}/bills/subtotals`,
    url: `/${wallet}/bills/subtotals?intervals=${intervals.join(',')}`,
    blocks: 40_000,
    rows: 40_000,
  }));
}

/** A month of both wallets, with all of its bills. */
function statementRequests({ bills }: Earner, now: Date): Request[] {
  return ['&language=zh', ''].map((language) => ({
    route: 'GET /account/statement',
    url: `/account/statement?month=${dayBefore(now, 31).slice(0, 7)}${language}`,
    blocks: 4_000 + bills * 8,
    rows: 4_000 + bills * 4,
  }));
}

function earningRequests({ bills }: Earner, now: Date): Request[] {
  const route = 'GET /dashboard/earnings';
  const year = `beginDate=${dayBefore(now, 365)}&endDate=${dayBefore(now, 0)}`;
  // The user's own rows of days: never more than the user's bills, and each on a block of its own
  // at worst.
  const own = { route, blocks: 300 + 2 * bills, rows: 500 + bills };
  return [
    { ...own, url: '/dashboard/earnings' },
    { ...own, url: `/dashboard/earnings?${year}` },
    { ...own, url: `/dashboard/earnings?${year}&currency=EDGE&rewardType=TASK` },
    { ...own, url: `/dashboard/earnings?${year}&currency=ETH` },
    { ...own, url: `/dashboard/earnings?${year}&nodeId=NODE` },
    { ...own, url: `/dashboard/earnings?${year}&nodeId=unknown` },
  ];
}

function simple(blocks: number, rows: number, paths: readonly string[]): Request[] {
  return paths.map((url) => ({ route: `GET ${url.split('?')[0]}`, url, blocks, rows }));
}

function memberRequests(now: Date): Request[] {
  const route = 'GET /community/members';
  const days = `&beginDate=2026-01-01&endDate=${dayBefore(now, 1)}`;
  const types = ['', '&type=DIRECT', '&type=COMMUNITY'];
  const keywords = ['', '&keyword=person', '&keyword=zz', '&keyword=a%40example.test'];
  const filters = types.flatMap((type) =>
    keywords.flatMap((keyword) => ['', days].map((range) => type + keyword + range)),
  );
  return [
    ...filters.flatMap((filter) =>
      [1, 10].map((page) => ({
        route,
        url: `/community/members?current=${page}&size=20${filter}`,
        blocks: 8_000,
        rows: 8_000,
      })),
    ),
    ...[...types, '&keyword=person', days].map((filter) => ({
      route: `${route}/export`,
      url: `/community/members/export?${filter.slice(1)}`,
      blocks: 20_000,
      rows: 20_000,
    })),
    ...simple(8_000, 8_000, ['/community/summary']),
    // Three binary searches for each day, of 366 at most.
    ...simple(45_000, 8_000, [`/community/summary?${days.slice(1)}`]),
  ];
}

/** What clients of OpenID Connect read before a user has signed in. */
function clientRequests(): Request[] {
  const query = new URLSearchParams({
    client_id: 'edge-console',
    redirect_uri: 'http://localhost:8080/callback',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const further = new URLSearchParams({
    ...{ state: 's', nonce: 'n', prompt: 'login', max_age: '60', acr_values: 'a', claims: '{}' },
    ...{ login_hint: 'person@example.test', ui_locales: 'en', response_mode: 'query' },
    ...{ resource: 'http://localhost:8080', dpop_jkt: query.get('code_challenge') ?? '' },
  });
  // Refused by the provider, with a redirect.
  const refused = ['request', 'request_uri', 'id_token_hint'].map((name) => `${name}=x`);
  return simple(60, 60, [
    '/.well-known/jwks.json',
    '/.well-known/openid-configuration',
    ...['', further, ...refused].map((more) => `/oauth2/authorize?${query}&${more}`),
  ]);
}

/** Reads of a user about their own account. */
export function personRequests(earner: Earner, now: Date): Request[] {
  const { userId } = earner;
  const node = `node-${userId}-1`;
  const own = (route: string, url: string, blocks: number, rows: number): Request => ({
    route,
    url,
    blocks,
    rows,
  });
  return [
    ...simple(120, 120, [
      '/account/info',
      '/account/info?currency=EDGE',
      '/account/asset',
      '/account/asset?quoteCurrency=ETH',
      '/bonus-account/info',
      '/bonus-account/info?currency=EDGE',
      '/bonus-account/asset',
      '/bonus-account/asset?quoteCurrency=ETH',
      '/currencies',
      '/me',
    ]),
    ...billRequests(earner, now),
    ...subtotalRequests(now),
    ...searchRequests(now),
    ...statementRequests(earner, now),
    ...simple(400, 600, [
      '/me/devices',
      '/me/devices?status=deleted',
      '/me/second-factors',
      '/me/upstream-identities',
      '/user/login/upstream',
      '/me/connections',
      '/me/sessions',
      '/me/security-events?current=1&size=20',
      '/me/notifications',
      '/me/notifications?size=50&before=100000',
      '/me/notification-preferences',
      '/me/push-subscriptions',
    ]),
    own('GET /user/invitations/{referral_code}', '/user/invitations/EARNER-1', 60, 60),
    own('GET /me/devices/{node_id}', `/me/devices/${node}`, 100, 100),
    ...['', '?beginDate=2026-10-12&endDate=2026-11-10'].map((range) =>
      own('GET /me/devices/{node_id}/earnings', `/me/devices/${node}/earnings${range}`, 400, 2_000),
    ),
    ...['', `?beginDate=${dayBefore(now, 30)}&endDate=${dayBefore(now, 0)}`].map((range) =>
      own('GET /me/devices/{node_id}/usage', `/me/devices/${node}/usage${range}`, 200, 200),
    ),
    own(
      'GET /me/devices/{node_id}/refused-reports',
      `/me/devices/${node}/refused-reports?current=1&size=20`,
      100,
      100,
    ),
    ...simple(1_200, 1_500, ['/dashboard/overview', '/dashboard/network-rewards']),
    ...earningRequests(earner, now).map((request) => ({
      ...request,
      url: request.url.replace('NODE', node),
    })),
    ...['', '&currency=USDT', `&beginTime=${dayBefore(now, 30)}&endTime=${dayBefore(now, 0)}`].map(
      (filter) =>
        own('GET /deposit/records', `/deposit/records?current=1&size=20${filter}`, 300, 300),
    ),
    own('GET /deposit/get/{id}', '/deposit/get/DEPOSIT', 60, 60),
    own('GET /me/payout-addresses', '/me/payout-addresses', 20, 20),
    ...['', '&status=confirmed', '&status=sent'].map((filter) =>
      own('GET /payouts', `/payouts?current=1&size=20${filter}`, 300, 200),
    ),
    own('GET /payouts/{id}', `/payouts/${userId * 1000 + 1}`, 40, 40),
    // The limit of all users is read from 145 totals, for `POST /payouts` too. Their payouts of the
    // day are as many as the users.
    ...['', '&amount=5'].map((amount) =>
      own('GET /payouts/quote', `/payouts/quote?currency=USDT&network=ETHEREUM${amount}`, 200, 250),
    ),
    own('GET /me/rewards/schedule', '/me/rewards/schedule', 60, 60),
    own('GET /address/info', '/address/info?currency=USDT&currencyNetWork=ETHEREUM', 60, 80),
    ...[
      '',
      '&status=held',
      '&rewardType=UPTIME',
      `&nodeId=${node}`,
      `&beginTime=${dayBefore(now, 30)}&endTime=${dayBefore(now, 0)}`,
    ].map((filter) =>
      own('GET /me/rewards', `/me/rewards?current=1&size=20${filter}`, 4_000, 2_000),
    ),
    own('GET /me/rewards/{bill_id}/proof', '/me/rewards/BILL/proof', 60, 60),
    ...memberRequests(now),
    ...clientRequests(),
  ];
}

/** Reads of operators: about one user, the house, and all users. */
export function operatorRequests(earners: readonly Earner[], now: Date): Request[] {
  const statement = (query: string, limit: Limit, ofRareCurrency = limit): Request[] =>
    ['EDGE', 'ETH', 'NEVER'].map((currency) => ({
      route: 'GET /operator/statements',
      url: `/operator/statements?currency=${currency}&size=20&${query}`,
      ...(currency === 'ETH' ? ofRareCurrency : limit),
    }));
  // Each of 16 shards: the last bill before both ends, each in a block of 256, then what the page
  // could be made of. With one bill of a rare currency in a block that is twenty blocks of a shard,
  // 81,920 rows at most; with the million entries of the full run, half of it.
  const ofHouse = { blocks: 10_000, rows: 16_000 };
  const ofRareHouse = { blocks: 24_000, rows: 48_000 };
  const ofDeepHouse = { blocks: 38_000, rows: 40_000 };
  const ofLongHouse = { blocks: 1_000, rows: 2_000 };
  // Twenty bills, each in a block of 256 at worst, and two binary searches along the blocks.
  const ofShard = { blocks: 12_000, rows: 12_000 };
  const range = `&beginTime=${dayBefore(now, 90)}&endTime=${dayBefore(now, 30)}`;
  const deposits = [
    '',
    '&currency=USDT',
    '&currencyNetWork=ETHEREUM',
    '&status=on_hold',
    '&status=credited',
    '&status=rejected',
    range,
    `&status=on_hold&currency=USDT${range}`,
  ];
  const heaviest = earners.at(-1)?.userId ?? 0;
  return [
    ...earners.flatMap(({ userId, bills }) =>
      [1, 50, 1000].flatMap((page) =>
        statement(`userId=${userId}&wallet=bonus&current=${page}`, filteredPage(bills)),
      ),
    ),
    ...statement('house=fees&current=1', ofLongHouse),
    ...statement('house=fees&shard=3&current=1', ofLongHouse),
    ...['', range].flatMap((days) => [
      ...statement(`house=reward_pool&current=1${days}`, ofHouse, ofRareHouse),
      ...statement(`house=reward_pool&current=50${days}`, ofDeepHouse),
    ]),
    ...[1, 50, 1000].flatMap((page) =>
      statement(`house=reward_pool&shard=3&current=${page}`, ofShard),
    ),
    ...ledgerRequests(dayBefore(now, 20), dayBefore(now, 30)),
    ...simple(600, 2_000, [
      '/operator/ledger/accounts',
      '/operator/ledger/heads',
      `/operator/ledger/heads?size=20&before=${dayBefore(now, 20)}`,
      '/operator/ledger/keys',
      '/.well-known/ledger-keys.json',
      '/operator/wallets',
    ]),
    ...simple(300, 600, [
      '/operator/prices',
      '/operator/price-feeds',
      '/operator/upstream-providers',
      '/operator/brand',
      '/operator/resource-servers',
      '/operator/clients?current=1&size=20',
      '/operator/chains',
      '/operator/rules',
    ]),
    {
      route: 'GET /operator/clients/{client_id}',
      url: '/operator/clients/edge-console',
      blocks: 60,
      rows: 60,
    },
    { route: 'GET /operator/rules/{version}', url: '/operator/rules/1', blocks: 60, rows: 60 },
    ...webhookRequests({ blocks: LISTED_BLOCKS, rows: LISTED_ROWS }),
    {
      route: 'GET /operator/withdrawals',
      url: `/operator/withdrawals?userId=${heaviest}`,
      blocks: 1_200,
      rows: 1_000,
    },
    {
      route: 'GET /operator/withdrawals/{id}',
      url: `/operator/withdrawals/${heaviest * 1000 + 1}`,
      blocks: 60,
      rows: 60,
    },
    { route: 'GET /operator/purchases/{id}', url: '/operator/purchases/1', blocks: 60, rows: 60 },
    ...moneyRequests(heaviest, now),
    {
      route: 'GET /operator/users/{user_id}',
      url: `/operator/users/${heaviest}`,
      blocks: 60,
      rows: 60,
    },
    ...supportRequests(heaviest),
    // Once after a start: two accounts of the house of 16 shards, at the ends of 31 days, a binary
    // search each. Ends of days are kept.
    { route: 'GET /operator/overview', url: '/operator/overview', blocks: 200_000, rows: 400_000 },
    ...[
      '',
      '&status=active',
      '&status=disabled',
      '&keyword=person',
      '&keyword=person&status=disabled',
      `&after=${heaviest}`,
      `&keyword=person&after=${heaviest}`,
      `&keyword=${heaviest}`,
    ].map((filter) => listed('/operator/users', filter)),
    // Few are found: no other user is examined.
    ...['&keyword=heavy', '&keyword=earner', '&keyword=z', '&ids=1,2'].map((filter) => ({
      ...listed('/operator/users', filter),
      blocks: 300,
      rows: 200,
    })),
    ...deposits.map((filter) => listed('/operator/deposits', filter)),
    listed('/operator/deposits', `&userId=${heaviest}`),
    ...['&status=in_review', `&status=in_review&after=${heaviest * 1000}`, '&status=sent'].map(
      (filter) => listed('/operator/payouts', filter),
    ),
    {
      route: 'GET /operator/payouts/{id}',
      url: `/operator/payouts/${heaviest * 1000 + 1}`,
      blocks: 60,
      rows: 60,
    },
    ...auditRequests(dayBefore(now, 1), now),
    ...operatorDeviceRequests(heaviest),
    ...simple(20, 20, ['/operator/payout-policy', '/operator/payout-stops']),
    ...['', '&state=unfinished'].map((filter) => listed('/operator/settlements', filter)),
    listed('/operator/held-rewards', ''),
    listed('/.well-known/reward-roots', ''),
    listed('/.well-known/reward-roots', '&batch=1'),
    listed('/.well-known/reward-roots', `&hour=${dayBefore(now, 1)}T00%3A00%3A00Z`),
  ];
}

/**
 * Lists over all users are counted up to 10,000 rows: read along an index, with a block for each
 * row at worst.
 */
const LISTED_ROWS = 40_000;
const LISTED_BLOCKS = 25_000;

function listed(path: string, filter: string): Request {
  return {
    route: `GET ${path}`,
    url: `${path}?current=1&size=20${filter}`,
    blocks: LISTED_BLOCKS,
    rows: LISTED_ROWS,
  };
}
