/**
 * Requests to addresses that users configure: webhooks, price feeds. They must not reach the
 * operator's network, so the resolved address is checked where the connection is made: a name that
 * later resolves to a private address (DNS rebinding) is refused too.
 */
import { lookup as resolveName } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { inSpan, traceHeaders } from '../lib/tracing.ts';

const TIMEOUT_MS = 5000;
const RESPONSE_LIMIT_BYTES = 64 * 1024;
const URL_LENGTH_MAX = 2048;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

export type OutgoingProblem =
  | 'malformed_url'
  | 'not_https'
  | 'address_refused'
  | 'unresolvable'
  | 'redirected'
  | 'timeout'
  | 'answer_too_large'
  | 'connection_failed'
  | 'unreachable';

/** Why a request was not made or failed. The operator may see `message`. */
export class OutgoingError extends Error {
  readonly problem: OutgoingProblem;
  /** The values in the message. */
  readonly values: Readonly<Record<string, string>> | undefined;
  constructor(
    problem: OutgoingProblem,
    message: string,
    { values, cause }: { values?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'OutgoingError';
    this.problem = problem;
    this.values = values;
  }
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
}

export interface Outgoing {
  /**
   * Refuses a URL that can never be requested, before it is stored. Does not resolve its name.
   * @throws OutgoingError
   */
  checkUrl(url: string): void;
  /** @throws OutgoingError */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
}

type AddressFilter = (address: string) => boolean;

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** True for an address of the public internet; of IPv6 only global unicast, no mapped IPv4. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_IPV6);
}

function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function refuseAddress(): OutgoingError {
  return new OutgoingError('address_refused', 'the address is not of the public internet');
}

function parseUrl(text: string): URL {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text))
    throw new OutgoingError('malformed_url', 'is not a URL');
  const url = new URL(text);
  if (text.includes('#'))
    throw new OutgoingError('malformed_url', 'must not contain a fragment: it is never sent');
  if (url.username !== '' || url.password !== '')
    throw new OutgoingError('malformed_url', 'must not contain a user name or password');
  // 2130706433, 0x7f.1 and 127.1 all parse as 127.0.0.1; other parsers disagree.
  if (isIP(url.hostname) === 4 && text.split(/[/:?]+/)[1] !== url.hostname)
    throw new OutgoingError('malformed_url', 'must spell an IPv4 address as four decimal numbers');
  return url;
}

/** Resolves a name for a connection; one refused address refuses the name. */
function createLookup(isAllowed: AddressFilter): LookupFunction {
  return (host, { all }, done) =>
    resolveName(host, { all: true, verbatim: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first)
        done(new OutgoingError('unresolvable', 'the name does not resolve', { cause: error }), '');
      else if (!found.every(({ address }) => isAllowed(address))) done(refuseAddress(), '');
      else if (all) done(null, found);
      else done(null, first.address, first.family);
    });
}

async function readBody(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > RESPONSE_LIMIT_BYTES)
      throw new OutgoingError(
        'answer_too_large',
        `the answer is larger than ${RESPONSE_LIMIT_BYTES} bytes`,
        { values: { bytes: String(RESPONSE_LIMIT_BYTES) } },
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param timeout_ms set when the request took as long */
function toOutgoingError(cause: unknown, timeout_ms: number | undefined): OutgoingError {
  if (cause instanceof OutgoingError) return cause;
  if (timeout_ms !== undefined)
    return new OutgoingError('timeout', `no answer within ${timeout_ms} ms`, {
      values: { milliseconds: String(timeout_ms) },
      cause,
    });
  const { code } = cause as { code?: unknown };
  if (typeof code !== 'string')
    return new OutgoingError('unreachable', 'the connection failed', { cause });
  return new OutgoingError('connection_failed', `the connection failed: ${code}`, {
    values: { cause: code },
    cause,
  });
}

async function exchange(
  url: URL,
  { method, headers, body }: OutgoingRequest,
  options: { lookup: LookupFunction; signal: AbortSignal },
): Promise<OutgoingAnswer> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    ...options,
    method,
    agent: false,
    headers: {
      'user-agent': 'edge-account',
      accept: 'application/json',
      ...length,
      ...traceHeaders(),
      ...headers,
    },
  });
  // The awaited response reports errors; a second error event without listener ends the process.
  request.on('error', () => {});
  // Without a listener the connection would end with no event that `once` waits for.
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    request.emit('error', new OutgoingError('unreachable', 'answered with another protocol'));
  });
  request.end(body);
  const { signal } = options;
  const [response]: http.IncomingMessage[] = await once(request, 'response', { signal });
  if (!response) throw new Error('no response');
  const status = response.statusCode ?? 0;
  const received = await readBody(response).catch((cause: unknown) => {
    if (cause instanceof OutgoingError || options.signal.aborted) throw cause;
    throw new OutgoingError('unreachable', 'the connection broke', { cause });
  });
  if (status >= 300 && status < 400)
    throw new OutgoingError('redirected', `answered ${status}; redirects are not followed`, {
      values: { status: String(status) },
    });
  return { status, headers: response.headers, body: received, text: received.toString() };
}

/**
 * Creates the client: https only, at most 5 s and 64 KB, no redirects.
 * @param options.allowsLoopback for development: allows this machine, by plain http too
 * @param options.timeout_ms for tests of answers, which must not depend on the machine
 */
export function createOutgoing({
  allowsLoopback,
  timeout_ms = TIMEOUT_MS,
}: {
  readonly allowsLoopback: boolean;
  readonly timeout_ms?: number;
}): Outgoing {
  const isAllowed: AddressFilter = (address) =>
    isPublicAddress(address) || (allowsLoopback && isLoopback(address));
  const lookup = createLookup(isAllowed);

  function check(text: string): URL {
    const url = parseUrl(text);
    const host = hostOf(url);
    const isLocal = allowsLoopback && (isLoopback(host) || host === 'localhost');
    if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
      throw new OutgoingError('not_https', 'must begin with https://');
    if (isIP(host) !== 0 && !isAllowed(host)) throw refuseAddress();
    return url;
  }

  return {
    checkUrl: (url) => void check(url),
    async send(request) {
      const url = check(request.url);
      const signal = AbortSignal.timeout(timeout_ms);
      const attributes = { 'http.request.method': request.method, 'server.address': hostOf(url) };
      return inSpan(request.method, { kind: 'client', attributes }, async (span) => {
        const answer = await exchange(url, request, { lookup, signal }).catch((error: unknown) => {
          throw toOutgoingError(error, signal.aborted ? timeout_ms : undefined);
        });
        span.setAttribute('http.response.status_code', answer.status);
        return answer;
      });
    },
  };
}
