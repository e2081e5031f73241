/** What people, devices and business servers send passes a proxy with its example. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { call, expectOk } from '../../../service/test/demo/http-client.ts';
import type { LivePerson } from '../../../service/test/support/live-person.ts';
import { startProxy } from '../../../service/test/support/proxies.ts';
import type { DrillReport } from '../../harness/drill.ts';
import type { DatabaseAddress } from '../cluster.ts';
import { connectDevice, registerDevice } from '../devices.ts';
import type { Lab } from '../lab.ts';
import { percentile, startReads } from '../load.ts';
import { postBlanks, postSlowly } from './raw-requests.ts';

/** More than the proxies and the service take. */
const LARGE_BODY_BYTES = 20 * 2 ** 20;
/** More messages than a device may send in an interval. */
const FLOOD = 400;
/** A loopback address of the client's own, and one that it only claims to have. */
const [CLIENT, CLAIMED] = ['127.0.0.77', '203.0.113.9'];
const TRIES = 3;
/** Enough that each instance has some. */
const SLOW_POSTINGS = 6;
/** HAProxy took 1.5 s to cut off the requests of an instance that drains. */
const SLOW_MS = 3000;
const LOOKS = 20;
const LOOK_EVERY_MS = 250;
const LOAD_MS = 2000;
const GIVES_UP_MS = 20_000;
const SOON = { atMost: 5, unit: 's' };
const READ = { atMost: 1000, unit: 'ms' };
const BEAT = JSON.stringify({ type: 'beat' });

/** Posts a small JSON from the client's own address. */
function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      localAddress: CLIENT,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', (answer) => answer.resume().on('end', resolve)).on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

interface Place {
  readonly report: DrillReport;
  /** Of the proxy. */
  readonly name: string;
  readonly address: string;
  readonly lab: Lab;
  /** The first user, who has a device. */
  readonly person: LivePerson;
  readonly operatorToken: string;
}

/** The sign-in page, and what the public must not see. */
async function askPages({ report, name, address, lab }: Place): Promise<void> {
  const page = await fetch(`${lab.baseUrl}/`, { headers: { accept: 'text/html' } });
  const isWhole = (await page.text()).includes('<div id="root">');
  const policy = page.headers.get('content-security-policy') ?? '';
  const isPage = page.status === 200 && isWhole && policy.includes('default-src');
  report.check(`${name}: the sign-in page comes whole, with its security policy`, isPage);
  for (const path of ['/metrics', '/dev/mail'])
    report.equal(`${name}: ${path}`, (await call(`${address}${path}`)).status, 404);
}

/** The service sees the address of the client, and not the one that it claims. */
async function askAddress({ report, name, address, person }: Place): Promise<void> {
  const { email, accessToken: token } = person;
  const login_password = createHash('md5').update('a wrong password').digest('hex');
  const form = { email, login_password };
  await post(`${address}/user/login-with-password`, form, { 'x-forwarded-for': CLAIMED });
  // It is written after the answer, whose time must not say whether the account exists.
  let seen: string | undefined;
  for (let left = LOOKS; seen === undefined && left > 0; left--) {
    if (left < LOOKS) await wait(LOOK_EVERY_MS);
    const { records } = await expectOk<{ records: { type: string; ip: string }[] }>(
      `${address}/me/security-events?current=1&size=20`,
      { token },
    );
    seen = records.find(({ type }) => type === 'sign_in_failed')?.ip;
  }
  report.equal(`${name}: the address that the service sees`, seen ?? 'none', CLIENT);
}

/** The next message of a device's connection. */
async function nextMessage(socket: WebSocket): Promise<{ type: string; code?: number }> {
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(data.toString());
}

/** A device connects, and is disconnected when it sends too much. */
async function connect({ report, name, address, person }: Place): Promise<void> {
  const begun = performance.now();
  const socket = await connectDevice(address, person.deviceToken);
  report.closing(() => socket.terminate());
  socket.send(BEAT);
  const { type } = await nextMessage(socket);
  report.equal(`${name}: the answer to a heartbeat of a device`, type, 'beat');
  report.limit(
    `${name}: a device is connected and heard`,
    (performance.now() - begun) / 1000,
    SOON,
  );
  const ended = new Promise<number | undefined>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; code?: number };
      if (message.type === 'disconnect') resolve(message.code);
    });
    socket.on('error', () => undefined).once('close', (code) => resolve(code));
  });
  for (let n = 0; n < FLOOD; n++) socket.send(BEAT, () => undefined);
  report.equal(`${name}: the code that ends a flood of heartbeats`, (await ended) ?? 0, 4429);
}

/** Waits for the next event of a stream with this name. */
async function readUntil(stream: ReadableStreamDefaultReader<string>, name: string): Promise<void> {
  for (let read = ''; !read.includes(`event: ${name}\n`); ) {
    const { done, value } = await stream.read();
    if (done) throw new Error(`the stream ended without ${name}: ${read}`);
    read += value;
  }
}

/** A posting arrives in an open event stream. */
async function watchEvents({ report, name, address, person, operatorToken }: Place): Promise<void> {
  const signal = AbortSignal.timeout(GIVES_UP_MS);
  const answer = await fetch(`${address}/me/events`, {
    headers: { authorization: `Bearer ${person.accessToken}`, accept: 'text/event-stream' },
    signal,
  });
  const events = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!events) throw new Error(`the event stream answers ${answer.status} without a body`);
  await readUntil(events, 'ready');
  const begun = performance.now();
  await expectOk(`${address}/operator/rewards`, {
    token: operatorToken,
    headers: { 'idempotency-key': `example-${name}` },
    body: { user_id: person.userId, currency: 'EDGE', amount: '1', reward_type: 'BONUS' },
  });
  await readUntil(events, 'reward.posted');
  report.limit(
    `${name}: a posting is in the event stream`,
    (performance.now() - begun) / 1000,
    SOON,
  );
  await events.cancel();
}

async function sendLargeBody({ report, name, address, operatorToken: token }: Place) {
  const url = new URL(`${address}/operator/rewards`);
  const status = await postBlanks({ url, token }, LARGE_BODY_BYTES);
  report.equal(`${name}: a body of ${LARGE_BODY_BYTES / 2 ** 20} MiB`, status, 413);
}

/** Postings whose bodies arrive with a pause. @returns their statuses */
function startSlowPostings({ address, operatorToken, person }: Place): Promise<number[]> {
  const url = new URL(`${address}/operator/rewards`);
  const body = { user_id: person.userId, currency: 'EDGE', amount: '1', reward_type: 'BONUS' };
  return Promise.all(
    Array.from({ length: SLOW_POSTINGS }, () => {
      const headers = { 'idempotency-key': `example-${randomUUID()}` };
      return postSlowly({ url, token: operatorToken, headers }, JSON.stringify(body), SLOW_MS);
    }),
  );
}

/** Both instances are restarted in turn, not drained, while users read and bodies arrive. */
async function restartInstances(place: Place): Promise<void> {
  const { report, name, address, lab, person } = place;
  const reads = startReads([address], '/account/info', person.accessToken, TRIES);
  const statuses: number[] = [];
  await wait(LOAD_MS);
  for (const instance of lab.instances) {
    const slow = startSlowPostings(place);
    await wait(SLOW_MS / 4);
    await instance.stop();
    statuses.push(...(await slow));
    await instance.start();
    // Until the proxy has seen it.
    await wait(LOAD_MS);
  }
  await reads.stop();
  const cut = statuses.filter((status) => status !== 200).length;
  report.equal(`${name}: of ${statuses.length} postings under way at SIGTERM, cut off`, cut, 0);
  const failed = reads.attempts.filter(({ status }) => status !== 200).length;
  const what = `${name}: of ${reads.attempts.length} reads beside restarts, failed`;
  report.equal(`${what} after ${TRIES} tries`, failed, 0);
  const times = reads.attempts.map(({ took_ms }) => took_ms);
  report.limit(`${name}: reads, the 99th percentile`, percentile(times, 0.99), READ);
}

/** Starts the proxy in front of both instances, at the port of the issuer. */
export async function examineProxy(
  report: DrillReport,
  name: string,
  { lab, cluster }: { lab: Lab; cluster: DatabaseAddress },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-proxy-'));
  report.closing(() => rmSync(folder, { recursive: true, force: true }));
  const [first = 0, second = 0] = lab.addresses.map((address) => Number(new URL(address).port));
  const listen = Number(new URL(lab.baseUrl).port);
  const proxy = await startProxy(name, { folder, listen, instances: [first, second] });
  try {
    const address = `http://127.0.0.1:${listen}`;
    await registerDevice(lab);
    const [person] = lab.people as [LivePerson];
    const operatorToken = await lab.operatorToken(address);
    const place = { report, name, address, lab, person, operatorToken };
    await askPages(place);
    const { userId } = await lab.signUp(cluster, address);
    report.check(`${name}: a user registers and signs in`, userId > 0);
    for (const step of [askAddress, connect, watchEvents, sendLargeBody, restartInstances])
      await step(place);
  } finally {
    await proxy.stop();
  }
}
