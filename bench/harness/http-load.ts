/** Load over HTTP on loopback, bounded in time. */
import autocannon from 'autocannon';

export interface LoadOptions {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly connections?: number;
  readonly seconds?: number;
}

/** Sends GET requests as fast as they are answered; returns answers per second. Throws when one is not 2xx. */
export async function measureRequests({ url, headers = {}, connections = 32, seconds = 4 }: LoadOptions): Promise<number> {
  if (!['127.0.0.1', 'localhost'].includes(new URL(url).hostname)) throw new Error('load goes to loopback only');
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
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
  const result = await autocannon({ url, connections: 32, amount: tokens.length, requests: [{ method: 'GET', setupRequest }] });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return tokens.length / ((performance.now() - started) / 1000);
}
