/**
 * `npm run coverage` loads this before each test file: every route that a Fastify instance of the
 * worker registers, and every one that answered with success, is written to the folder
 * `ROUTE_HITS`. `scripts/tests/check-route-hits.ts` compares both.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

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
    fastify.addHook('onRoute', ({ method, url, schema }) => {
      if (schema?.hide === true) return;
      for (const each of [method].flat())
        if (each !== 'HEAD' && each !== 'OPTIONS') write(`registered ${each} ${url}`);
    });
    fastify.addHook('onResponse', async ({ method, routeOptions: { url } }, { statusCode }) => {
      if (url !== undefined && statusCode < 400) write(`hit ${method} ${url}`);
    });
  });
}
