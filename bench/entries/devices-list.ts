import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, median } from '../harness/entry.ts';
import { startChildServer } from '../support/child-server.ts';
import type { DeviceLab } from '../support/device-lab-server.ts';

const REQUESTS = 150;
const REQUESTS_ANEW = 60;
const SIZES = [10, 1000] as const;

interface Owner {
  readonly token: string;
  readonly nodeId: string;
  readonly deviceToken: string;
}

async function send(url: string, token: string, method = 'GET', body?: object): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await fetch(url, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}`);
}

/** Times of one list after another, in milliseconds; `before` each of them something may happen. */
async function timeLists_ms(
  url: string,
  { token }: Owner,
  requests: number,
  before?: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < requests; i++) {
    await before?.();
    const startedAt_ms = performance.now();
    await send(url, token);
    times.push(performance.now() - startedAt_ms);
  }
  return times;
}

function nodeOf(deviceToken: string): string {
  return (
    JSON.parse(Buffer.from(deviceToken.split('.')[1] ?? '', 'base64url').toString()) as {
      node_id: string;
    }
  ).node_id;
}

/**
 * Both lists after something that makes the service put them together again; the shortest times,
 * which no neighbour disturbed.
 */
async function measureAnew(
  url: string,
  [few, many]: readonly [Owner, Owner],
  disturb: (owner: Owner) => Promise<void>,
): Promise<string> {
  const measure = async (owner: Owner) =>
    Math.min(...(await timeLists_ms(url, owner, REQUESTS_ANEW, () => disturb(owner))));
  const [few_ms, many_ms] = [await measure(few), await measure(many)];
  return (
    `${SIZES[1]} devices ${many_ms.toFixed(2)} ms, ${SIZES[0]} devices ` +
    `${few_ms.toFixed(2)} ms, ratio ${(many_ms / few_ms).toFixed(2)}`
  );
}

const entry: BenchEntry = {
  name: 'devices-list',
  summary:
    'GET /me/devices of a person with 1,000 devices beside one of a person with 10, ' +
    'median of requests one after another',
  unit: 'ms',
  goal: { ratio: 3, is: 'at most' },
  async open() {
    const postgres = await startPostgres({});
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
    const tokensFile = join(folder, 'tokens');
    const lab = await startChildServer<DeviceLab>(
      new URL('../support/device-lab-server.ts', import.meta.url),
      [postgres.url, tokensFile, ...SIZES.map(String)],
    );
    const url = `${lab.ready.baseUrl}/me/devices`;
    const deviceTokens = readFileSync(tokensFile, 'utf8').split('\n');
    const owners = SIZES.map((size, i): Owner => {
      const deviceToken = deviceTokens[i === 0 ? 0 : SIZES[0]] ?? '';
      return {
        token: lab.ready.people[`${size}#${i}`] ?? '',
        deviceToken,
        nodeId: nodeOf(deviceToken),
      };
    });
    const pair = owners as [Owner, Owner];
    const [few, many] = pair;
    return {
      ours: async () => median(await timeLists_ms(url, many, REQUESTS)),
      anchor: async () => median(await timeLists_ms(url, few, REQUESTS)),
      async further() {
        let changes = 0;
        return {
          'put together again after a beat': await measureAnew(url, pair, (owner) =>
            send(`${url}/${owner.nodeId}/heartbeat`, owner.deviceToken, 'POST'),
          ),
          'read again after a change': await measureAnew(url, pair, (owner) =>
            send(`${url}/${owner.nodeId}`, owner.token, 'PATCH', { name: `${++changes}` }),
          ),
        };
      },
      async close() {
        await lab.stop();
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
