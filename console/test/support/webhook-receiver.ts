import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  count(): number;
  accept(): void;
  close(): void;
}

/** A business server that answers 410 until it accepts. */
export async function openReceiver(): Promise<Receiver> {
  let status = 410;
  let seen = 0;
  const server = createServer((request, response) => {
    seen++;
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    count: () => seen,
    accept: () => {
      status = 204;
    },
    close: () => void server.close(),
  };
}
