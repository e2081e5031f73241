import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, median } from '../harness/entry.ts';
import { startChildServer } from '../support/child-server.ts';
import type { DeviceLab } from '../support/device-lab-server.ts';

const REQUESTS = 150;

/** Median time of one request after another, in milliseconds. */
async function measureList_ms(url: string, token: string, requests = REQUESTS): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < requests; i++) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the list was answered ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[requests >> 1] ?? Number.NaN;
}

const entry: BenchEntry = {
  name: 'devices-list',
  summary: 'GET /me/devices of a person with 1,000 devices beside one of a person with 10, median of requests one after another',
  unit: 'ms',
  goal: { ratio: 3, is: 'at most' },
  async open() {
    const postgres = await startPostgres({});
    const lab = await startChildServer<DeviceLab>(new URL('../support/device-lab-server.ts', import.meta.url), [postgres.url, '', '10', '1000']);
    const url = `${lab.ready.baseUrl}/me/devices`;
    const { '10#0': few = '', '1000#1': many = '' } = lab.ready.people;
    return {
      ours: () => measureList_ms(url, many),
      anchor: () => measureList_ms(url, few),
      async further() {
        // A list is kept for a second at most, so each of these is made anew.
        const times: number[] = [];
        for (let i = 0; i < 5; i++) {
          await new Promise((resolve) => setTimeout(resolve, 1100));
          times.push(await measureList_ms(url, many, 1));
        }
        return { 'a list of 1,000 made anew': `${median(times).toFixed(1)} ms` };
      },
      async close() {
        await lab.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
