import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, round } from '../harness/entry.ts';
import { startChildServer } from '../support/child-server.ts';
import { runCodeFlow, send } from '../support/code-flow-client.ts';
import type { CodeFlowServer } from '../support/code-flow-server.ts';
import type { MemoryProvider } from '../support/memory-provider-server.ts';

const CONCURRENT = 8;
const ROUND_MS = 4000;
const SCOPE = 'openid account:read device:connect';

async function measureRate(flow: (n: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  let done = 0;
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      await flow(begun++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return done / ((performance.now() - started) / 1000);
}

function readRedirect(body: string): URL {
  return new URL((JSON.parse(body) as { redirect_to: string }).redirect_to);
}

const entry: BenchEntry = {
  name: 'code-flow',
  summary:
    'whole code flows (authorize, consent, continue, token) on a PostgreSQL that syncs, ' +
    `beside oidc-provider with its in-memory adapter, ${CONCURRENT} at a time`,
  unit: 'flows/s',
  goal: { ratio: 0.4, is: 'at least' },
  async open() {
    const postgres = await startPostgres({});
    const ours = await startChildServer<CodeFlowServer>(
      new URL('../support/code-flow-server.ts', import.meta.url),
      [postgres.url],
    );
    const anchor = await startChildServer<MemoryProvider>(
      new URL('../support/memory-provider-server.ts', import.meta.url),
      [],
    );
    const { baseUrl, redirectUri, tokens } = ours.ready;
    /** Processor time of the serving process per flow. */
    async function measureCpu(url: string, load: () => Promise<number>): Promise<number> {
      const read = async (): Promise<number> =>
        (JSON.parse((await send('GET', `${url}/bench/cpu`)).body) as { cpu_us: number }).cpu_us;
      const before = await read();
      const flows = ((await load()) * ROUND_MS) / 1000;
      return ((await read()) - before) / flows / 1000;
    }
    const runOurs = (): Promise<number> =>
      measureRate((n) =>
        runCodeFlow({
          authorizeUrl: `${baseUrl}/oauth2/authorize`,
          tokenUrl: `${baseUrl}/oauth2/token`,
          redirectUri,
          scope: SCOPE,
          async allow(page) {
            const headers = {
              authorization: `Bearer ${tokens[n % tokens.length]}`,
              'content-type': 'application/json',
            };
            const body = JSON.stringify({
              interaction_id: page.searchParams.get('interaction_id'),
              decision: 'allow',
            });
            return readRedirect(
              (await send('POST', `${baseUrl}/oauth2/authorize/consent`, headers, body)).body,
            );
          },
        }),
      );
    const runAnchor = (): Promise<number> =>
      measureRate(() =>
        runCodeFlow({
          authorizeUrl: `${anchor.ready.baseUrl}/auth`,
          tokenUrl: `${anchor.ready.baseUrl}/token`,
          redirectUri: anchor.ready.redirectUri,
          scope: SCOPE,
          allow: async (page, cookie) =>
            readRedirect((await send('POST', page.href, { cookie })).body),
        }),
      );
    return {
      ours: runOurs,
      anchor: runAnchor,
      async further() {
        const [our, other] = [
          await measureCpu(baseUrl, runOurs),
          await measureCpu(anchor.ready.baseUrl, runAnchor),
        ];
        return {
          'processor time per flow':
            `ours ${round(our)} ms (without PostgreSQL), ` + `anchor ${round(other)} ms`,
        };
      },
      async close() {
        await ours.stop();
        await anchor.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
