/**
 * Loaded before each test file: a route that answers a problem code which the OpenAPI document
 * lacks fails the test that saw it.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect } from 'vitest';
import { documentedFailures } from '../../src/http/openapi/documented-failures.ts';

const registry = Symbol.for('edge-account.undocumented-problems');
const shared = globalThis as { [registry]?: Set<string> };

/** Workers keep their modules from file to file, and each Fastify instance reports once. */
function watch(): Set<string> {
  const undocumented = new Set<string>();
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const documented = new Map<string, ReadonlySet<string>>();
    fastify.addHook('onRoute', (route) => {
      if (route.schema?.operationId === undefined) return;
      documented.set(`${String(route.method)} ${route.url}`, new Set(documentedFailures(route)));
    });
    fastify.addHook('onSend', async (request, reply, payload) => {
      const codes = documented.get(`${request.method} ${request.routeOptions.url}`);
      const type = String(reply.getHeader('content-type'));
      if (codes === undefined || !type.startsWith('application/problem+json')) return payload;
      const { code } = JSON.parse(String(payload)) as { code: string };
      if (!codes.has(code))
        undocumented.add(`${request.method} ${request.routeOptions.url}: ${code}`);
      return payload;
    });
  });
  return undocumented;
}

shared[registry] ??= watch();
const undocumented = shared[registry];

afterEach(() => {
  const found = [...undocumented];
  undocumented.clear();
  expect(found, 'problem codes that the OpenAPI document lacks').toEqual([]);
});
