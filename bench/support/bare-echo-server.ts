/** A bare `ws` server that sends back what it gets: the anchor of the live connections. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { startControlServer } from './control-server.ts';

export interface BareEcho {
  readonly baseUrl: string;
  readonly controlUrl: string;
}

const http = createServer();
const server = new WebSocketServer({
  server: http,
  perMessageDeflate: false,
  clientTracking: false,
});
server.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(data, { binary: false }));
});
await new Promise<void>((resolve) =>
  http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve),
);
const controlUrl = await startControlServer();
console.log(
  JSON.stringify({
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    controlUrl,
  } satisfies BareEcho),
);
process.once('SIGTERM', () => process.exit(0));
