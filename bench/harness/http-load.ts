/** Load over HTTP on loopback, bounded in time. */
import autocannon from 'autocannon';

export interface LoadOptions {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly connections?: number;
  readonly seconds?: number;
}

/**
 * Sends GET requests as fast as they are answered; returns answers per second. Throws when one is
 * not 2xx.
 */
export async function measureRequests({
  url,
  headers = {},
  connections = 32,
  seconds = 4,
}: LoadOptions): Promise<number> {
  if (!['127.0.0.1', 'localhost'].includes(new URL(url).hostname))
    throw new Error('load goes to loopback only');
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result['2xx'] / result.duration;
}

/** Sends one GET request with each token, 32 at a time; returns answers per second. */
export async function measureColdRequests(url: string, tokens: readonly string[]): Promise<number> {
  let taken = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    headers: { authorization: `Bearer ${tokens[taken++ % tokens.length]}` },
  });
  const started = performance.now();
  const result = await autocannon({
    url,
    connections: 32,
    amount: tokens.length,
    requests: [{ method: 'GET', setupRequest }],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return tokens.length / ((performance.now() - started) / 1000);
}

const PAIRS = 4000;
/** The first ones compile. */
const WARM_UP = 500;

async function timeOne(url: string, token: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  if (!response.ok) throw new Error(`the answer was ${response.status}`);
  return performance.now() - started;
}

/**
 * How much longer the answer to one person takes than to another: single requests in turn, so that
 * whatever else the machine does meets both. The lower quartiles are compared: what lies above is
 * the machine's other work.
 */
export async function comparePeople(url: string, token: string, other: string): Promise<number> {
  const times: number[] = [];
  const otherTimes: number[] = [];
  for (let n = 0; n < PAIRS; n++) {
    const [one, two] = [
      () => timeOne(url, token).then((time) => times.push(time)),
      () => timeOne(url, other).then((time) => otherTimes.push(time)),
    ];
    for (const send of n % 2 === 0 ? [one, two] : [two, one]) await send();
  }
  const quartile = (all: readonly number[]): number =>
    all.slice(WARM_UP).toSorted((a, b) => a - b)[(PAIRS - WARM_UP) / 4] ?? Number.NaN;
  return quartile(times) / quartile(otherTimes);
}
