/**
 * The console's pages, and what their addresses keep. Their paths are listed in the service too
 * (`http/console-paths.ts`): none is an API path.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { isProblem } from '../api/problem.ts';
import { readDepositFilter } from '../deposits/deposit-filter.ts';
import { readChartFilter } from '../home/chart-filter.ts';
import { readOneOf, readWords, type Search, writeSearch } from '../lib/search-params.ts';
import { readOperatorSearch } from '../operator/operator-search.ts';
import { readMemberFilter } from '../people/member-filter.ts';
import { type BillFilter, readBillFilter, SEARCH_LENGTH_MAX } from '../wallets/bill-filter.ts';
import { loadPart } from './load-part.ts';
import { NotFound } from './not-found.tsx';
import { PageFailed } from './page-failed.tsx';
import { Shell } from './shell.tsx';

/** As the service limits it. */
const NODE_ID_LENGTH_MAX = 256;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readChartFilter,
  component: lazyRouteComponent(() => loadPart(() => import('../home/home-page.tsx')), 'HomePage'),
});

/** A flow that went through a page load ends here; the session has been taken up by then. */
const callback = createRoute({
  getParentRoute: () => root,
  path: '/callback',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});

interface WalletSearch extends BillFilter {
  readonly wallet?: 'bonus' | undefined;
  /** What is searched for. */
  readonly text?: string | undefined;
}

function readWalletSearch(search: Search): WalletSearch {
  return {
    wallet: readOneOf(search.wallet, ['bonus']),
    ...readBillFilter(search),
    text: readWords(search.text, SEARCH_LENGTH_MAX),
  };
}

const wallets = createRoute({
  getParentRoute: () => root,
  path: '/wallets',
  validateSearch: readWalletSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('../wallets/wallets-page.tsx')),
    'WalletsPage',
  ),
});

const convert = createRoute({
  getParentRoute: () => root,
  path: '/wallets/convert',
  validateSearch: readOrder,
  component: lazyRouteComponent(
    () => loadPart(() => import('../wallets/convert-page.tsx')),
    'ConvertPage',
  ),
});

const withdraw = createRoute({
  getParentRoute: () => root,
  path: '/wallets/withdraw',
  component: lazyRouteComponent(
    () => loadPart(() => import('../withdraw/withdraw-page.tsx')),
    'WithdrawPage',
  ),
});

interface KeptOrder {
  from?: string | undefined;
  amount?: string | undefined;
  to?: string | undefined;
}

/** An amount that the router has read as a number is none any more: it went through a double. */
function readOrder(search: Record<string, unknown>): KeptOrder {
  const textOf = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  return { from: textOf(search.from), amount: textOf(search.amount), to: textOf(search.to) };
}

const deposits = createRoute({
  getParentRoute: () => root,
  path: '/deposits',
  validateSearch: readDepositFilter,
  component: lazyRouteComponent(
    () => loadPart(() => import('../deposits/deposits-page.tsx')),
    'DepositsPage',
  ),
});

const devices = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  component: lazyRouteComponent(
    () => loadPart(() => import('../devices/devices-page.tsx')),
    'DevicesPage',
  ),
});

/** A search parameter, because the id of a device may have any characters. */
const deviceHistory = createRoute({
  getParentRoute: () => root,
  path: '/devices/history',
  validateSearch: ({ node }: Search): { node?: string | undefined } => ({
    node: readWords(node, NODE_ID_LENGTH_MAX),
  }),
  component: lazyRouteComponent(
    () => loadPart(() => import('../devices/device-history-page.tsx')),
    'DeviceHistoryPage',
  ),
});

const addDevice = createRoute({
  getParentRoute: () => root,
  path: '/devices/add',
  validateSearch: readUserCode,
  component: lazyRouteComponent(
    () => loadPart(() => import('../devices/add-device-page.tsx')),
    'AddDevicePage',
  ),
});

function readUserCode({ user_code: given }: Search): { user_code?: string | undefined } {
  return { user_code: typeof given === 'string' ? given : undefined };
}

/** Where a device's QR code leads. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: readUserCode,
  component: lazyRouteComponent(
    () => loadPart(() => import('../devices/add-device-page.tsx')),
    'AddDevicePage',
  ),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  validateSearch: readMemberFilter,
  component: lazyRouteComponent(
    () => loadPart(() => import('../people/people-page.tsx')),
    'PeoplePage',
  ),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/security',
  component: lazyRouteComponent(
    () => loadPart(() => import('../security/security-page.tsx')),
    'SecurityPage',
  ),
});

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  component: lazyRouteComponent(
    () => loadPart(() => import('../notifications/notifications-page.tsx')),
    'NotificationsPage',
  ),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  validateSearch: readOperatorSearch,
  component: lazyRouteComponent(
    () => loadPart(() => import('../operator/operator-page.tsx')),
    'OperatorPage',
  ),
});

const routeTree = root.addChildren([
  home,
  callback,
  wallets,
  convert,
  withdraw,
  deposits,
  devices,
  deviceHistory,
  addDevice,
  device,
  people,
  security,
  notifications,
  operator,
]);

/** Problems are shown on the page that caught them. */
function logUnexpected(error: unknown): void {
  if (!isProblem(error)) console.error(error);
}

export const router = createRouter({
  routeTree,
  // As it is written: the router's own way takes what looks like a number for one, and quotes it.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: writeSearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  defaultOnCatch: logUnexpected,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
