import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { measureColdRequests, measureRequests } from '../harness/http-load.ts';
import type { AccountInfoServer } from '../support/account-info-server.ts';
import { startChildServer } from '../support/child-server.ts';

const entry: BenchEntry = {
  name: 'account-info',
  summary:
    'GET /account/info with a verified token beside a bare Fastify route with one ' +
    'primary-key SELECT on the same pool',
  unit: 'requests/s',
  goal: { ratio: 0.6, is: 'at least' },
  async open() {
    const postgres = await startPostgres({});
    const server = await startChildServer<AccountInfoServer>(
      new URL('../support/account-info-server.ts', import.meta.url),
      [postgres.url],
    );
    const { oursUrl, bareUrl, warmToken, coldTokens } = server.ready;
    return {
      ours: () =>
        measureRequests({ url: oursUrl, headers: { authorization: `Bearer ${warmToken}` } }),
      anchor: () => measureRequests({ url: bareUrl }),
      async further() {
        // Each token is seen for the first time, so each request pays for a signature check.
        const cold = await measureColdRequests(oursUrl, coldTokens);
        return { 'cold token cache': `${Math.round(cold)} requests/s` };
      },
      async close() {
        await server.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
