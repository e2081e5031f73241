/** Requests whose bodies take long: very large ones, and such that arrive with a pause. */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const CHUNK_BYTES = 65_536;
const GIVES_UP_MS = 20_000;

interface RawPost {
  readonly url: URL;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface OpenPost {
  isAnswered(): boolean;
  write(chunk: string | Buffer): Promise<unknown>;
  /** @returns the status, once it is answered; 0 for none */
  finish(): Promise<number>;
}

/** Sends the head of a request. */
async function open({ url, token, headers = {} }: RawPost, bytes: number): Promise<OpenPost> {
  const socket = connect(Number(url.port), url.hostname);
  socket.setTimeout(GIVES_UP_MS, () => socket.destroy()).on('error', () => undefined);
  let answer: string | undefined;
  const answered = new Promise<void>((resolve) => {
    const end = (chunk: Buffer | boolean): void => {
      answer ??= String(chunk);
      resolve();
    };
    socket.once('data', end).once('close', end);
  });
  const lines = Object.entries({
    host: url.host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(bytes),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const write = (chunk: string | Buffer): Promise<unknown> =>
    Promise.race([answered, new Promise((resolve) => socket.write(chunk, resolve))]);
  await write(`POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    isAnswered: () => answer !== undefined,
    write,
    async finish() {
      await answered;
      socket.destroy();
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer ?? '')?.[1] ?? 0);
    },
  };
}

/** Sends blanks until it is answered. @returns the status of the answer */
export async function postBlanks(request: RawPost, bytes: number): Promise<number> {
  const post = await open(request, bytes);
  const chunk = Buffer.alloc(CHUNK_BYTES, ' ');
  for (let sent = 0; sent < bytes && !post.isAnswered(); sent += CHUNK_BYTES) {
    await post.write(chunk);
    await new Promise(setImmediate);
  }
  return post.finish();
}

/** Sends a body with a pause in the middle. @returns the status of the answer */
export async function postSlowly(
  request: RawPost,
  body: string,
  pause_ms: number,
): Promise<number> {
  const post = await open(request, Buffer.byteLength(body));
  const half = Math.floor(body.length / 2);
  await post.write(body.slice(0, half));
  await wait(pause_ms);
  await post.write(body.slice(half));
  return post.finish();
}
