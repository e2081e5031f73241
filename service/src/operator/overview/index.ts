/** `GET /operator/overview`: how the network is doing, at one glance. */
import type { HttpServer } from '../../http/index.ts';
import { operations } from '../operations/overview.ts';
import { type OverviewDeps, readOverview } from './read-overview.ts';
import { Overview } from './schemas.ts';

/** Operators leave the page open: an instance reads for all of them at once. */
const CACHED_MS = 15_000;

export function registerOverview(app: HttpServer, deps: OverviewDeps): void {
  let cached: { readonly until_ms: number; readonly overview: Promise<Overview> } | undefined;
  const read = (): Promise<Overview> => {
    const now_ms = deps.clock.now().getTime();
    if (cached && now_ms < cached.until_ms) return cached.overview;
    const overview = readOverview(deps);
    const entry = { until_ms: now_ms + CACHED_MS, overview };
    cached = entry;
    // A failure is not kept.
    overview.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return overview;
  };
  app.get(
    '/operator/overview',
    {
      config: { access: { scopes: ['operator:overview'] }, readsFrom: 'standby' },
      schema: { ...operations.getNetworkOverview, response: { 200: Overview } },
    },
    read,
  );
}
