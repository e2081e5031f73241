/** Shared dependencies of the domains, and the server without their routes. */

import { NOT_AUDITED } from './audit/index.ts';
import {
  type CurrentBrand,
  createCurrentBrand,
  decoratePage,
  nameOf,
  registerBrand,
  toPageLook,
} from './brand/index.ts';
import type { Config } from './config.ts';
import { type ClockWatch, countConnections, createClockWatch, type Database } from './db/index.ts';
import { findBoundNode } from './devices/index.ts';
import {
  type CorsRules,
  createMetrics,
  createOutgoing,
  createServer,
  type HttpServer,
  installAudit,
  installConsole,
  installCors,
  installGuard,
  installHeadRoutes,
  installOpenApi,
  installReads,
  installRoles,
  linkExtensionStore,
  type Metrics,
  type Outgoing,
  type PageLook,
  registerExtensionFile,
  registerHealth,
  registerMetrics,
  registerTerminalFile,
} from './http/index.ts';
import {
  createTokenState,
  installPersonKeys,
  sealForKnownUser,
  type TokenState,
} from './identity/index.ts';
import type { Clock } from './lib/clock.ts';
import type { MasterKey } from './master-key.ts';
import {
  createOidc,
  type Oidc,
  OPERATOR_SCOPE_TEXTS,
  registerLogoutMetrics,
  SCOPES,
} from './oidc/index.ts';
import { VERSION } from './version.ts';

/** Dependencies of every domain. */
export interface Platform {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

/** Dependencies of the domains' routes. */
export interface AppContext extends Platform {
  readonly http: HttpServer;
  readonly tokenState: TokenState;
  readonly oidc: Oidc;
  readonly metrics: Metrics;
  readonly clocks: ClockWatch;
  readonly outgoing: Outgoing;
  readonly brand: CurrentBrand;
  /** What people know the network by. */
  readonly serviceName: () => string;
  /** Of the pages that the service shows itself. */
  readonly look: () => PageLook;
  /** Origins of pages that may open live connections. */
  readonly isAllowedOrigin: (origin: string) => Promise<boolean>;
  /** Logs an error of a task that no request waits for. */
  readonly report: (what: string) => (error: unknown) => void;
}

/** Logs, and shows at `/metrics`, the offset of this instance's clock from the database's. */
function watchClocks(
  { database: db, clock }: Platform,
  http: HttpServer,
  metrics: Metrics,
): ClockWatch {
  const onApart = (offset_ms: number): void => {
    const seconds = (Math.abs(offset_ms) / 1000).toFixed(1);
    const direction = offset_ms > 0 ? 'ahead of' : 'behind';
    http.log.warn(
      { clock_offset_ms: offset_ms },
      `the clock of this process is ${seconds} s ${direction} the database’s`,
    );
  };
  const clocks = createClockWatch({ db, clock, onApart });
  metrics.gauge(
    'edge_account_clock_offset_seconds',
    'How far ahead the clock of this process is.',
    'against',
    async () => {
      const offset_ms = clocks.offset_ms();
      const figures: Record<string, number> =
        offset_ms === undefined ? {} : { database: offset_ms / 1000 };
      return figures;
    },
  );
  return clocks;
}

/** Metrics that begin with the connections: other figures of a scrape use some themselves. */
function createMetricsWithPool(database: Database): Metrics {
  const metrics = createMetrics();
  metrics.gauge(
    'edge_account_database_connections',
    'Connections of the pool, and callers that wait for one.',
    'state',
    async () => countConnections(database),
  );
  return metrics;
}

/** Callers have their names in the audit log, and read where their route says. */
function attachCallers({ database, clock }: Platform, http: HttpServer): void {
  installReads(http, database.replica);
  installAudit(http, {
    sealForUser: (userId, value) => sealForKnownUser(database, clock, userId, value),
    leftOut: NOT_AUDITED,
  });
}

/** The pages for browsers, in the brand of the network. */
async function addPages(
  { config, database, clock }: Platform,
  http: HttpServer,
  brand: CurrentBrand,
): Promise<void> {
  const isSignInElsewhere =
    new URL(config.AUTHORIZATION_PAGE_URL).origin !== new URL(config.BASE_URL).origin;
  await installConsole(http, {
    ...{ baseUrl: config.BASE_URL, isSignInElsewhere },
    challenge: config.CHALLENGE,
    decorate: (page, nonce) =>
      linkExtensionStore(decoratePage(brand.get(), page, nonce), config.EXTENSION_URL),
  });
  registerTerminalFile(http);
  registerExtensionFile(http, {
    baseUrl: config.BASE_URL,
    readName: () => nameOf(brand.get()),
  });
  registerBrand(http, { config, database, clock, brand });
}

/** Creates the server with guard, tokens, CORS, documentation, pages, health and metrics. */
export async function createAppContext(platform: Platform): Promise<AppContext> {
  const { config, database, clock } = platform;
  installPersonKeys(database, platform.masterKey);
  const http = createServer(config);
  const report: AppContext['report'] = (what) => (error) => http.log.error({ err: error }, what);
  const metrics = createMetricsWithPool(database);
  const tokenState = createTokenState(database, clock);
  const outgoing = createOutgoing({ allowsLoopback: config.OUTGOING_LOOPBACK === 'allow' });
  const brand = createCurrentBrand(database, report('the brand could not be read'));
  const look = (): PageLook => toPageLook(brand.get());
  const oidc = createOidc({
    ...platform,
    outgoing,
    tokenState,
    look,
    findBoundNode: (token) => findBoundNode(database, token),
    onError: report('oidc: background work failed'),
  });
  registerLogoutMetrics(metrics, database);
  const cors: CorsRules = {
    pageOrigin: new URL(config.AUTHORIZATION_PAGE_URL).origin,
    ownOrigin: new URL(config.BASE_URL).origin,
    isClientOrigin: (origin) => oidc.clients.isOrigin(origin),
  };
  // Before everything that refuses: a browser shows a page no answer without these headers.
  installCors(http, cors);
  installRoles(http, config.roles);
  installGuard(http, oidc.authenticator);
  attachCallers(platform, http);
  installHeadRoutes(http);
  await installOpenApi(http, {
    baseUrl: config.BASE_URL,
    version: VERSION,
    scopes: { ...SCOPES, ...OPERATOR_SCOPE_TEXTS },
    look,
  });
  const clocks = watchClocks(platform, http, metrics);
  registerHealth(http, { database, clocks, feedAge_ms: tokenState.age_ms });
  await addPages(platform, http, brand);
  oidc.register(http);
  registerMetrics(http, metrics);
  return {
    ...platform,
    http,
    tokenState,
    oidc,
    metrics,
    clocks,
    outgoing,
    brand,
    serviceName: () => nameOf(brand.get()),
    look,
    isAllowedOrigin: async (origin) => origin === cors.ownOrigin || cors.isClientOrigin(origin),
    report,
  };
}
