/**
 * A push service with browsers, for tests of the sender: it verifies the signature of each request
 * (VAPID, RFC 8292), and the browser decrypts the message with its own keys (RFC 8291, RFC 8188).
 */
import {
  createDecipheriv,
  createECDH,
  createHash,
  createPublicKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const HEADER_BYTES = SALT_BYTES + 4 + 1;
/** What a push service has to take (RFC 8030, 7.2). */
const BODY_BYTES_MAX = 4096;
const DAY_S = 86_400;

export interface BrowserKeys {
  /** All base64url. */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly auth: string;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const derive = (input: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', input, salt, info, length));

/** Decrypts a message as the browser does. @throws for any other sender, key or byte */
export function decryptPush(keys: BrowserKeys, body: Buffer): Buffer {
  const salt = body.subarray(0, SALT_BYTES);
  const recordBytes = body.readUInt32BE(SALT_BYTES);
  const keyEnd = HEADER_BYTES + body.readUInt8(SALT_BYTES + 4);
  const sender = body.subarray(HEADER_BYTES, keyEnd);
  const record = body.subarray(keyEnd);
  if (record.length > recordBytes) throw new Error('more than one record');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytes(keys.privateKey));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), bytes(keys.publicKey), sender]);
  const input = derive(ecdh.computeSecret(sender), bytes(keys.auth), info, 32);
  const key = derive(input, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(input, salt, 'Content-Encoding: nonce\0', 12);
  const end = record.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(end));
  const padded = Buffer.concat([decipher.update(record.subarray(0, end)), decipher.final()]);
  const delimiter = padded.findLastIndex((byte) => byte !== 0);
  if (padded[delimiter] !== 2) throw new Error('not the last record');
  return padded.subarray(0, delimiter);
}

export function createBrowserKeys(): BrowserKeys {
  const ecdh = createECDH('prime256v1');
  return {
    publicKey: ecdh.generateKeys().toString('base64url'),
    privateKey: ecdh.getPrivateKey().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
}

export interface ReceivedPush {
  readonly headers: http.IncomingHttpHeaders;
  /** Decrypted. */
  readonly text: string;
  /** Claims of the signature. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** With which it was signed. */
  readonly applicationServerKey: string;
}

export interface PushBrowser {
  /** As a browser sends its subscription. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly received: ReceivedPush[];
  /** What its push service answers from now on, instead of 201 to what it could read. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
}

export interface PushService {
  /** A browser that has subscribed. */
  open(): PushBrowser;
  /** What a push service would have refused. */
  readonly problems: string[];
  close(): Promise<void>;
}

async function verify(
  request: http.IncomingMessage,
  origin: string,
  now: Date,
): Promise<Pick<ReceivedPush, 'claims' | 'applicationServerKey'>> {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(request.headers.authorization ?? '') ?? [];
  const point = bytes(key);
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const { payload } = await jwtVerify(token, publicKey, {
    ...{ algorithms: ['ES256'], audience: origin, currentDate: now },
    requiredClaims: ['exp', 'sub'],
  });
  if ((payload.exp ?? 0) > now.getTime() / 1000 + DAY_S) throw new Error('lives for over a day');
  return { claims: payload, applicationServerKey: key };
}

function readHeaders({ headers }: http.IncomingMessage): void {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('another encoding');
  if (!/^\d+$/.test(String(headers.ttl))) throw new Error('no TTL');
  if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error('not a topic');
}

async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (body.length > BODY_BYTES_MAX) throw new Error(`${body.length} bytes`);
  return body;
}

/** @param now the time by the sender's clock */
export async function startPushService(now: () => Date): Promise<PushService> {
  interface Known extends PushBrowser {
    readonly keys: BrowserKeys;
    response: readonly [status: number, headers: Readonly<Record<string, string>>];
  }
  const browsers = new Map<string, Known>();
  const problems: string[] = [];
  let origin = '';
  const server = http.createServer(async (request, response) => {
    const browser = browsers.get(request.url ?? '');
    try {
      if (!browser) throw new Error(`no browser at ${request.url}`);
      readHeaders(request);
      const text = decryptPush(browser.keys, await readBody(request)).toString();
      const signature = await verify(request, origin, now());
      browser.received.push({ headers: request.headers, text, ...signature });
      response.writeHead(...browser.response).end();
    } catch (error) {
      problems.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    problems,
    open() {
      const keys = createBrowserKeys();
      const path = `/push/${createHash('sha256').update(keys.publicKey).digest('base64url')}`;
      const known: Known = {
        ...{ keys, response: [201, {}], received: [] },
        subscription: {
          endpoint: origin + path,
          keys: { p256dh: keys.publicKey, auth: keys.auth },
        },
        answer(status, headers = {}) {
          known.response = [status, headers];
        },
      };
      browsers.set(path, known);
      return known;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
