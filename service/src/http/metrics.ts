/** Prometheus metrics at `GET /metrics`, for operators' clients (scope `operator:metrics`). */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { limitStatements } from '../db/index.ts';
import { operations } from './operations.ts';
import { TextAnswer } from './schemas.ts';
import type { HttpServer } from './types.ts';

/** A value for each value of the label. */
type Figures = Readonly<Record<string, number>>;

export interface Metrics {
  readonly registry: Registry;
  /**
   * A gauge that is read at each scrape; one value per label.
   * @param reads what one cannot read, or not in time, hides nothing of the others
   */
  gauge(name: string, help: string, label: string, ...reads: (() => Promise<Figures>)[]): void;
}

/** A scrape waits no longer for a figure: Prometheus gives up after ten seconds by default. */
const READ_DEADLINE_MS = 2000;

/** Undefined when it cannot be read, or not in time. */
async function tryRead(read: () => Promise<Figures>): Promise<Figures | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, READ_DEADLINE_MS, undefined);
  });
  try {
    // No scrape waits for a later answer, which would hold a connection for as long as it takes.
    const figures = limitStatements(READ_DEADLINE_MS, () => read().catch(() => undefined));
    return await Promise.race([figures, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const unread = new Counter({
    name: 'edge_account_metrics_unread_total',
    help: 'Scrapes in which a metric could not be read in full, by its name; the rest is absent.',
    labelNames: ['metric'],
    registers: [registry],
  });
  return {
    registry,
    gauge(name, help, label, ...reads) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const parts = await Promise.all(reads.map(tryRead));
          this.reset();
          if (parts.includes(undefined)) unread.inc({ metric: name });
          for (const [value, figure] of parts.flatMap((part) => Object.entries(part ?? {})))
            this.set({ [label]: value }, figure);
        },
      });
    },
  };
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Measures requests by route, not by path: each id would create a series. */
export function registerMetrics(app: HttpServer, { registry }: Metrics): void {
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  // How sign-ins fail, for example: by route and code.
  const problems = new Counter({
    name: 'edge_account_problems_total',
    help: 'Requests that were answered with a problem, by its code.',
    labelNames: ['route', 'code'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { problemCode: code } = request;
    const route = request.routeOptions.url ?? 'none';
    if (code !== undefined) problems.inc({ route, code });
    requests.observe(
      {
        method: request.method,
        route,
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
  });
  let hasDefaults = false;
  app.get(
    '/metrics',
    {
      config: {
        access: { scopes: ['operator:metrics'], answersInOutage: true, isFleeting: true },
        roles: 'every',
        handlesFailures: true,
      },
      schema: {
        ...operations.getMetrics,
        response: { 200: TextAnswer('text/plain', 'Prometheus text format.') },
      },
    },
    async (_request, reply) => {
      if (!hasDefaults) collectDefaultMetrics({ register: registry });
      hasDefaults = true;
      return reply.type(registry.contentType).send((await registry.metrics()) as never);
    },
  );
}
