import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { measureColdRequests, measureRequests } from '../harness/http-load.ts';
import { startChildServer } from '../support/child-server.ts';
import type { GuardServer } from '../support/guard-server.ts';

const MICROSECONDS = 1_000_000;

const entry: BenchEntry = {
  name: 'guard',
  summary: 'what the guard adds to a request (a guarded route less an unguarded one), beside a whole GET /account/info',
  unit: 'µs/request',
  rounds: 3,
  goal: { ratio: 0.15, is: 'at most' },
  async open() {
    const postgres = await startPostgres({});
    const server = await startChildServer<GuardServer>(new URL('../support/guard-server.ts', import.meta.url), [postgres.url]);
    const { guardedUrl, openUrl, accountUrl, token, coldTokens } = server.ready;
    const headers = { authorization: `Bearer ${token}` };
    return {
      async ours() {
        const open = await measureRequests({ url: openUrl, headers, seconds: 3 });
        const guarded = await measureRequests({ url: guardedUrl, headers, seconds: 3 });
        return MICROSECONDS / guarded - MICROSECONDS / open;
      },
      anchor: async () => MICROSECONDS / (await measureRequests({ url: accountUrl, headers, seconds: 3 })),
      async further() {
        const open = await measureRequests({ url: openUrl, headers, seconds: 2 });
        const cold = await measureColdRequests(guardedUrl, coldTokens);
        return { 'guard with a cold token cache': `${Math.round(MICROSECONDS / cold - MICROSECONDS / open)} µs/request` };
      },
      async close() {
        await server.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
