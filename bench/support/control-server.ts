/**
 * A second, tiny server inside a measured process: collects garbage and tells what the process
 * holds.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface ProcessFigures {
  /** Resident memory after a garbage collection, bytes. */
  readonly rss: number;
  /** What JavaScript and its buffers hold, bytes. */
  readonly held: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Serves `GET /` with the figures; returns its address. */
export async function startControlServer(): Promise<string> {
  const server = createServer((_request, response) => {
    collectGarbage();
    collectGarbage();
    const { rss, heapUsed, external } = process.memoryUsage();
    response.end(JSON.stringify({ rss, held: heapUsed + external }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export async function readFigures(controlUrl: string): Promise<ProcessFigures> {
  return (await (await fetch(controlUrl)).json()) as ProcessFigures;
}
