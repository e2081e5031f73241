/** Instances with live connections, and clients that open them. */
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import type { Database } from '../../src/db/index.ts';
import { registerDevices } from '../../src/devices/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { testConfig } from './test-config.ts';
import { deviceDeps } from './test-devices.ts';
import { createTestServer } from './test-server.ts';

/** A page that may open live connections. */
export const GOOD_ORIGIN = 'https://good.example';
export const BEAT = '{"type":"beat"}';

/** The devices part of one instance. */
export async function startDeviceNode(database: Database, overrides: Record<string, string> = {}) {
  const config = testConfig({ CONNECTS_PER_SECOND: '100', ...overrides });
  const app = createTestServer(config);
  const deps = {
    ...deviceDeps(database, systemClock),
    isAllowedOrigin: (origin: string) => origin === GOOD_ORIGIN,
  };
  const devices = registerDevices(app, { config, database, clock: systemClock, ...deps });
  await deps.tokenState.start();
  await devices.start();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const stop = async () => {
    await app.close();
    await devices.stop();
    deps.tokenState.stop();
  };
  return { app, devices, url: `ws://127.0.0.1:${port}/me/devices/connect`, stop };
}

/** A client that stores received messages. */
export function connectTo(url: string, options: ClientOptions = {}, protocols: string[] = []) {
  const socket = new WebSocket(url, protocols, options);
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  socket.on('error', () => {});
  const refused = new Promise<{
    status: number;
    headers: IncomingHttpHeaders;
    body: Record<string, unknown>;
  }>((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(text),
        }),
      );
    });
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({
    code: code as number,
    reason: String(reason),
  }));
  return { socket, messages, refused, closed, opened: once(socket, 'message') };
}

/**
 * Number of attempts that a limit accepts since `startedAt_ms`: a burst of ten seconds, then its
 * rate.
 */
export function mayPass(connectsPerSecond: number, startedAt_ms: number): number {
  return Math.ceil(connectsPerSecond * (10 + (performance.now() - startedAt_ms) / 1000));
}
