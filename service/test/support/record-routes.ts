/**
 * `npm run coverage` loads this before each test file: every route that a Fastify instance of the
 * worker registers with the problems that it documents, and every success and problem that it
 * answered, is written to the folder `ROUTE_HITS`. `scripts/tests/check-route-hits.ts` compares
 * them.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { documentedFailures } from '../../src/http/openapi/documented-failures.ts';
import { observeAnswers } from './observe-answers.ts';

const file = join(process.env.ROUTE_HITS ?? '', `${process.pid}.txt`);
const written = new Set<string>();

function write(line: string): void {
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(file, `${line}\n`);
}

const isRecording = Symbol.for('edge-account.record-routes');

if (!(isRecording in globalThis)) {
  Object.assign(globalThis, { [isRecording]: true });
  // Fastify publishes each instance before its routes are added.
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: RouteOptions[] = [];
    fastify.addHook('onRoute', (route) => {
      if (route.schema?.hide !== true) routes.push(route);
    });
    // Later hooks of `onRoute` complete what is documented.
    fastify.addHook('onReady', async () => {
      for (const { method, url, schema, config } of routes)
        for (const each of [method].flat()) {
          if (each === 'HEAD' || each === 'OPTIONS') continue;
          write(`registered ${each} ${url}`);
          if (schema?.operationId === undefined) continue;
          for (const code of documentedFailures({ schema, config, method: each }))
            write(`documented ${each} ${url} ${code}`);
        }
    });
    fastify.addHook('onResponse', async ({ method, routeOptions: { url } }, { statusCode }) => {
      if (url !== undefined && statusCode < 400) write(`hit ${method} ${url}`);
    });
  });
  observeAnswers(({ request, mediaType, text }) => {
    const { method, url } = request.routeOptions;
    if (mediaType === 'application/problem+json')
      write(`answered ${String(method)} ${url} ${(JSON.parse(text) as { code: string }).code}`);
  });
}
