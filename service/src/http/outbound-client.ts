/**
 * Requests that the service makes to addresses which people give it: webhooks, price feeds. They must not reach
 * into the operator's own network, so the address is resolved once, judged, and that very address is connected to:
 * a name that resolves anew to a private address (DNS rebinding) gains nothing.
 */
import { lookup as dnsLookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const TIMEOUT_MS = 5000;
const ANSWER_LIMIT_BYTES = 64 * 1024;

export type OutgoingProblem =
  | 'malformed_url'
  | 'not_https'
  | 'address_refused'
  | 'unresolvable'
  | 'redirected'
  | 'timeout'
  | 'answer_too_large'
  | 'unreachable';

/** Why a request was not made or brought no answer. `message` holds no more than the operator may see. */
export class OutgoingError extends Error {
  readonly problem: OutgoingProblem;
  constructor(problem: OutgoingProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutgoingError';
    this.problem = problem;
  }
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Outgoing {
  /** Refuses a URL that could never be asked, before it is stored. Its name is not resolved yet. @throws OutgoingError */
  checkUrl(url: string): void;
  /** @throws OutgoingError */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
}

const V4_REFUSED: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Inside global unicast (2000::/3): protocol assignments and Teredo, documentation, 6to4. */
const V6_REFUSED: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function makeList(
  v4: readonly (readonly [string, number])[],
  v6: readonly (readonly [string, number])[],
): BlockList {
  const list = new BlockList();
  for (const [address, bits] of v4) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of v6) list.addSubnet(address, bits, 'ipv6');
  return list;
}

const REFUSED = makeList(V4_REFUSED, V6_REFUSED);
const GLOBAL_V6 = makeList([], [['2000::', 3]]);

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** True for an address of the public internet. IPv6 beyond global unicast is refused whole, mapped IPv4 included. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !REFUSED.check(address, 'ipv4');
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !REFUSED.check(address, 'ipv6');
}

function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function parseUrl(text: string): URL {
  if (text.length > 2048 || !URL.canParse(text))
    throw new OutgoingError('malformed_url', 'is not a URL');
  const url = new URL(text);
  if (text.includes('#'))
    throw new OutgoingError('malformed_url', 'must not hold a fragment: it would never be sent');
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('malformed_url', 'must not hold a user name or password');
  // 2130706433, 0x7f.1 and 127.1 are read as 127.0.0.1: nobody means them honestly, and other readers read them otherwise.
  if (isIP(url.hostname) === 4 && text.split(/[/:?]+/)[1] !== url.hostname)
    throw new OutgoingError('malformed_url', 'must spell an IPv4 address as four decimal numbers');
  return url;
}

async function resolve(
  host: string,
  isAllowed: (address: string) => boolean,
): Promise<{ address: string; family: number }> {
  const found = await dnsLookup(host, { all: true, verbatim: true }).catch((error: unknown) => {
    throw new OutgoingError('unresolvable', 'the name does not resolve', error);
  });
  const first = found[0];
  // One refused address is enough: a name with both kinds is how rebinding begins.
  if (!first || !found.every(({ address }) => isAllowed(address)))
    throw new OutgoingError('address_refused', 'the address is not of the public internet');
  return first;
}

function receive(response: http.IncomingMessage): Promise<OutgoingAnswer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > ANSWER_LIMIT_BYTES)
        response.destroy(
          new OutgoingError(
            'answer_too_large',
            `the answer is larger than ${ANSWER_LIMIT_BYTES} bytes`,
          ),
        );
      else chunks.push(chunk);
    });
    response.once('error', fail);
    response.once('aborted', () => fail(new OutgoingError('unreachable', 'the connection broke')));
    response.once('end', () =>
      done({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
      }),
    );
  });
}

function toOutgoingError(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))
    return new OutgoingError('timeout', `no answer within ${TIMEOUT_MS} ms`, error);
  const code = (error as { code?: unknown }).code;
  return new OutgoingError(
    'unreachable',
    typeof code === 'string' ? `the connection failed: ${code}` : 'the connection failed',
    error,
  );
}

interface Target {
  readonly address: string;
  readonly family: number;
}

function exchange(
  url: URL,
  target: Target,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const { method, headers, body } = request;
  const lookup: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [target]);
    else done(null, target.address, target.family);
  };
  return new Promise((done, fail) => {
    const agent = false;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      method,
      lookup,
      signal,
      agent,
      headers: { 'user-agent': 'edge-account', accept: 'application/json', ...length, ...headers },
    };
    const call = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      receive(response).then(done, fail);
    });
    call.once('error', fail);
    call.end(body);
  });
}

/**
 * Makes the client. https only; at most 5 s and 64 KB; redirects are not followed.
 * @param options.allowsLoopback for development: this machine may be asked too, by plain http as well
 */
export function createOutgoing({ allowsLoopback }: { allowsLoopback: boolean }): Outgoing {
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || (allowsLoopback && isLoopback(address));

  function check(text: string): URL {
    const url = parseUrl(text);
    const host = bareHost(url);
    const isLocal = allowsLoopback && (isLoopback(host) || host === 'localhost');
    if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
      throw new OutgoingError('not_https', 'must begin with https://');
    if (isIP(host) !== 0 && !isAllowed(host))
      throw new OutgoingError('address_refused', 'the address is not of the public internet');
    return url;
  }

  async function send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    const url = check(request.url);
    const host = bareHost(url);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const expiry = new Promise<never>((_, fail) =>
      signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true }),
    );
    const answer = await Promise.race([
      resolve(host, isAllowed).then((target) => exchange(url, target, request, signal)),
      expiry,
    ]);
    if (answer.status >= 300 && answer.status < 400)
      throw new OutgoingError(
        'redirected',
        `answered ${answer.status}; redirects are not followed`,
      );
    return answer;
  }

  return {
    checkUrl: (url) => {
      check(url);
    },
    send: (request) =>
      send(request).catch((error: unknown) => {
        throw toOutgoingError(error);
      }),
  };
}
