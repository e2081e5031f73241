/**
 * A process that opens many live connections, then beats on request. Arguments: address, file of
 * tokens (`-`: none), first token, number of connections. Prints a line when all are open; `GET
 * /beat` beats for a while in a closed loop.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';

export interface SocketClient {
  readonly opened: number;
  readonly failed: number;
  readonly controlUrl: string;
}

const [url = '', tokensFile = '-', first = '0', count = '0'] = process.argv.slice(2);
const CONCURRENCY = 50;
const BEAT = '{"type":"beat"}';
const tokens =
  tokensFile === '-'
    ? []
    : readFileSync(tokensFile, 'utf8')
        .split('\n')
        .slice(Number(first), Number(first) + Number(count));
const sockets: WebSocket[] = [];
let failed = 0;
let answers = 0;
let isBeating = false;

function onMessage(this: WebSocket): void {
  answers++;
  if (isBeating) this.send(BEAT);
}

function openOne(token: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    socket.once('open', () => {
      sockets.push(socket);
      socket.on('message', onMessage);
      resolve();
    });
    socket.once('error', () => {
      failed++;
      resolve();
    });
  });
}

const total = Number(count);
let next = 0;
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    while (next < total) await openOne(tokens[next++]);
  }),
);

/** Every socket has one beat on its way all the time. */
async function beat(seconds: number): Promise<number> {
  isBeating = true;
  for (const socket of sockets) socket.send(BEAT);
  const [startedAt, before] = [performance.now(), answers];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const perSecond = (answers - before) / ((performance.now() - startedAt) / 1000);
  isBeating = false;
  return perSecond;
}

const control = createServer(async (request, response) => {
  const seconds = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('seconds') ?? 3);
  response.end(
    JSON.stringify({
      perSecond: await beat(seconds),
      open: sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length,
    }),
  );
});
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
const ready: SocketClient = {
  opened: sockets.length,
  failed,
  controlUrl: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
};
console.log(JSON.stringify(ready));
process.once('SIGTERM', () => process.exit(0));
