/** Two webhooks with deliveries: one whose receiver takes them, and one whose receiver fails. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import type { Operator } from './seed.ts';

const TRIES = 600;
const PAUSE_MS = 50;

/** Answers by the path: what is posted to `/503` gets that status. */
async function openAnswers(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(Number(request.url?.slice(1))).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

const RECEIVERS = [
  {
    ...{ status: 204, url: 'https://books.example/edge', description: 'Bookkeeping' },
    event_types: ['deposit.*', 'payout.*'],
  },
  {
    ...{ status: 503, url: 'https://shop.example/hooks', description: 'Shop' },
    event_types: ['payout.*'],
  },
] as const;

export interface SeededWebhooks {
  /** Waits until each event was sent once, and gives the webhooks the addresses that they show. */
  finish(operator: Operator): Promise<void>;
}

/** They receive what happens from now on. The service may send to this machine. */
export async function seedWebhooks({ baseUrl, token }: Operator): Promise<SeededWebhooks> {
  const answers = await openAnswers();
  const ids: number[] = [];
  for (const { status, description, event_types } of RECEIVERS) {
    const body = { url: `${answers.url}/${status}`, description, event_types };
    const options = { token, body };
    ids.push((await expectOk<{ id: number }>(`${baseUrl}/operator/webhooks`, options)).id);
  }
  return {
    async finish(operator) {
      for (const [at, { url }] of RECEIVERS.entries()) {
        const webhook = `${operator.baseUrl}/operator/webhooks/${ids[at]}`;
        await waitForAttempts(operator, webhook);
        await expectOk(webhook, { method: 'PATCH', token: operator.token, body: { url } });
      }
      answers.close();
    },
  };
}

interface Delivery {
  readonly attempts: number;
}

/** The service sends by itself and cannot notify this code. */
async function waitForAttempts({ token }: Operator, webhook: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { records } = await expectOk<{ records: Delivery[] }>(
      `${webhook}/deliveries?current=1&size=20`,
      { token },
    );
    if (records.length > 0 && records.every(({ attempts }) => attempts > 0)) return;
    await wait(PAUSE_MS);
  }
  throw new Error('the events were not sent');
}
