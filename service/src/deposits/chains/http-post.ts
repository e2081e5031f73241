/**
 * One POST to an RPC endpoint over a kept connection. Not `fetch`: reading a chain makes two small
 * calls for every block, and fetch takes several times the processor time for each.
 */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { inSpan } from '../../lib/tracing.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface PostOptions {
  readonly body: string;
  /** For the whole exchange, the answer's last byte included. */
  readonly timeout_ms: number;
  /** Counted after decompression. */
  readonly bytesMax: number;
}

export class PostTimeout extends Error {}
export class AnswerTooLarge extends Error {}

const plain = new http.Agent({ keepAlive: true });
const secure = new https.Agent({ keepAlive: true });

async function readText(answer: Readable, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function exchange(url: URL, { body, timeout_ms, bytesMax }: PostOptions): Promise<Answer> {
  const isSecure = url.protocol === 'https:';
  const signal = AbortSignal.timeout(timeout_ms);
  const request = (isSecure ? https : http).request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'gzip',
    },
    agent: isSecure ? secure : plain,
    signal,
  });
  // After the answer has begun, its stream reports errors.
  request.on('error', () => undefined);
  try {
    request.end(body);
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    if (!response) throw new Error('no response');
    const isPacked = response.headers['content-encoding'] === 'gzip';
    const answer = isPacked ? pipeline(response, createGunzip(), () => undefined) : response;
    return { status: response.statusCode ?? 0, text: await readText(answer, bytesMax) };
  } catch (error) {
    request.destroy();
    throw signal.aborted ? new PostTimeout() : error;
  }
}

/**
 * Sends a POST and reads the whole answer; redirects are not followed. User and password of the URL
 * are sent as a header.
 * @throws Error when the connection fails or is cut
 */
export function post(url: URL, options: PostOptions): Promise<Answer> {
  const attributes = { 'http.request.method': 'POST', 'server.address': url.hostname };
  return inSpan('POST', { kind: 'client', attributes }, async (span) => {
    const answer = await exchange(url, options);
    span.setAttribute('http.response.status_code', answer.status);
    return answer;
  });
}
