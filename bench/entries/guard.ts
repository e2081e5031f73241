import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { measureColdRequests, measureRequests } from '../harness/http-load.ts';
import { startChildServer } from '../support/child-server.ts';
import type { GuardServer } from '../support/guard-server.ts';

const SECONDS = 3;

const entry: BenchEntry = {
  name: 'guard',
  summary:
    'processor time that the guard adds to a request (a guarded route less an unguarded ' +
    'one), beside a whole GET /account/info',
  unit: 'µs/request',
  goal: { ratio: 0.15, is: 'at most' },
  async open() {
    const postgres = await startPostgres({});
    const server = await startChildServer<GuardServer>(
      new URL('../support/guard-server.ts', import.meta.url),
      [postgres.url],
    );
    const { guardedUrl, openUrl, accountUrl, cpuUrl, token, coldTokens } = server.ready;
    const headers = { authorization: `Bearer ${token}` };
    const readCpu = async (): Promise<number> =>
      ((await (await fetch(cpuUrl)).json()) as { cpu_us: number }).cpu_us;
    /**
     * Processor time of the server per request: what a busy machine does beside it does not count.
     */
    async function measureCpu(load: () => Promise<number>): Promise<number> {
      const before = await readCpu();
      const requests = await load();
      return ((await readCpu()) - before) / requests;
    }
    const warm = (url: string) =>
      measureCpu(async () => (await measureRequests({ url, headers, seconds: SECONDS })) * SECONDS);
    return {
      async ours() {
        const open = await warm(openUrl);
        return (await warm(guardedUrl)) - open;
      },
      anchor: () => warm(accountUrl),
      async further() {
        const open = await warm(openUrl);
        const cold = await measureCpu(async () => {
          await measureColdRequests(guardedUrl, coldTokens);
          return coldTokens.length;
        });
        return { 'guard with a cold token cache': `${Math.round(cold - open)} µs/request` };
      },
      async close() {
        await server.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
