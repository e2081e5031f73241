/** The console's pages. Their paths are listed in the service too (`http/console-files.ts`): none is an API path. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { loadPart, PageFailed } from './page-failed.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
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

const wallets = createRoute({
  getParentRoute: () => root,
  path: '/wallets',
  validateSearch: (search: Record<string, unknown>): { wallet?: 'bonus' | undefined } => ({ wallet: search.wallet === 'bonus' ? 'bonus' : undefined }),
  component: lazyRouteComponent(() => loadPart(() => import('../wallets/wallets-page.tsx')), 'WalletsPage'),
});

const convert = createRoute({
  getParentRoute: () => root,
  path: '/wallets/convert',
  validateSearch: readOrder,
  component: lazyRouteComponent(() => loadPart(() => import('../wallets/convert-page.tsx')), 'ConvertPage'),
});

interface KeptOrder {
  from?: string | undefined;
  amount?: string | undefined;
  to?: string | undefined;
}

/** An amount that the router has read as a number is none any more: it went through a double. */
function readOrder(search: Record<string, unknown>): KeptOrder {
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { from: textOf(search.from), amount: textOf(search.amount), to: textOf(search.to) };
}

const deposits = createRoute({
  getParentRoute: () => root,
  path: '/deposits',
  component: lazyRouteComponent(() => loadPart(() => import('../deposits/deposits-page.tsx')), 'DepositsPage'),
});

const devices = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  component: lazyRouteComponent(() => loadPart(() => import('../devices/devices-page.tsx')), 'DevicesPage'),
});

const addDevice = createRoute({
  getParentRoute: () => root,
  path: '/devices/add',
  validateSearch: readUserCode,
  component: lazyRouteComponent(() => loadPart(() => import('../devices/add-device-page.tsx')), 'AddDevicePage'),
});

/** The router reads what looks like a number as one. */
function readUserCode({ user_code: given }: Record<string, unknown>): { user_code?: string | undefined } {
  return { user_code: typeof given === 'string' || typeof given === 'number' ? String(given) : undefined };
}

/** Where a device's QR code leads. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  validateSearch: readUserCode,
  component: lazyRouteComponent(() => loadPart(() => import('../devices/add-device-page.tsx')), 'AddDevicePage'),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => loadPart(() => import('../people/people-page.tsx')), 'PeoplePage'),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/security',
  component: lazyRouteComponent(() => loadPart(() => import('../security/security-page.tsx')), 'SecurityPage'),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  validateSearch: (search: Record<string, unknown>): { view?: string } => (typeof search.view === 'string' ? { view: search.view } : {}),
  component: lazyRouteComponent(() => loadPart(() => import('../operator/operator-page.tsx')), 'OperatorPage'),
});

const routeTree = root.addChildren([home, callback, wallets, convert, deposits, devices, addDevice, device, people, security, operator]);

export const router = createRouter({ routeTree, scrollRestoration: true, defaultPreload: 'intent', defaultErrorComponent: PageFailed });

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
