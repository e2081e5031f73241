/**
 * One POST to a node over a kept connection. Not `fetch`: reading a chain makes two small calls for every block, and
 * fetch takes several times the processor time for each.
 */
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface PostOptions {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole exchange, the answer's last byte included. */
  readonly timeout_ms: number;
  /** Counted after decompression. */
  readonly bytesMax: number;
}

export class PostTimeout extends Error {}
export class AnswerTooLarge extends Error {}

const plain = new http.Agent({ keepAlive: true });
const secure = new https.Agent({ keepAlive: true });

function bodyOf(response: http.IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const gunzip = createGunzip();
  response.on('error', (error) => gunzip.destroy(error));
  return response.pipe(gunzip);
}

/** Sends a POST and reads the whole answer; redirects are answers like others. @throws Error when anything breaks off */
export function post(
  url: URL,
  { body, headers, timeout_ms, bytesMax }: PostOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const length = { 'content-length': Buffer.byteLength(body), 'accept-encoding': 'gzip' };
    const options = {
      method: 'POST',
      headers: { ...headers, ...length },
      agent: isSecure ? secure : plain,
    };
    const request = (isSecure ? https : http).request(url, options);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new PostTimeout()), timeout_ms);
    request.on('error', fail);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const answer = bodyOf(response);
      // A connection that is cut ends without `end`, and not always with an error.
      response.on('close', () => !response.complete && fail(new Error('cut off')));
      answer.on('error', fail);
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > bytesMax) fail(new AnswerTooLarge());
        else chunks.push(chunk);
      });
      answer.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.end(body);
  });
}
