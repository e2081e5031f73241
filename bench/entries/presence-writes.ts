import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { sized } from '../harness/sizes.ts';
import { startChildServer } from '../support/child-server.ts';
import { COUNTING_SETTINGS, countRows, countWrites } from '../support/count-writes.ts';
import type { DeviceLab } from '../support/device-lab-server.ts';
import { openSockets } from '../support/socket-lab.ts';

const SOCKETS = sized(15_000, 1500);
const PER_PERSON = 500;
const ROWS_PER_SECOND = sized(60, 6);
const HOUR_S = 3600;
/** Every device is written once in this time. */
const CYCLE_S = sized(300, 60);
/** Connections are written and published by then. */
const SETTLED_S = 30;

/** In the first minutes of an hour each device gets a second row: waits until no hour begins. */
async function waitForCycle(): Promise<void> {
  const left_s = HOUR_S - ((Date.now() / 1000) % HOUR_S);
  if (left_s < CYCLE_S + SETTLED_S) await sleep(left_s * 1000);
  const begun_s = (Date.now() / 1000) % HOUR_S;
  if (begun_s < CYCLE_S) await sleep((CYCLE_S - begun_s) * 1000);
}

const entry: BenchEntry = {
  name: 'presence-writes',
  summary:
    `rows written a second while ${SOCKETS} live connections beat every 30 s, the further row ` +
    `of each device and hour included, beside ${ROWS_PER_SECOND}`,
  unit: 'rows/s',
  goal: { ratio: 1, is: 'at most' },
  rounds: 1,
  warmUps: 0,
  async open() {
    const postgres = await startPostgres(COUNTING_SETTINGS);
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
    const tokensFile = join(folder, 'tokens');
    const lab = await startChildServer<DeviceLab>(
      new URL('../support/device-lab-server.ts', import.meta.url),
      [
        postgres.url,
        tokensFile,
        ...Array.from({ length: SOCKETS / PER_PERSON }, () => String(PER_PERSON)),
      ],
    );
    const url = `${lab.ready.baseUrl.replace('http', 'ws')}/me/devices/connect`;
    const sockets = await openSockets(url, tokensFile, SOCKETS);
    if (sockets.opened !== SOCKETS) throw new Error(`${sockets.failed} connections were refused`);
    await sleep(SETTLED_S * 1000);
    let figures: Record<string, string> = {};
    return {
      async ours() {
        await waitForCycle();
        const cycle = () => sleep(CYCLE_S * 1000);
        let rows = { perSecond: 0, tables: '' };
        const statements = await countWrites(postgres.url, async () => {
          rows = await countRows(postgres.url, cycle);
        });
        figures = { rows: rows.tables, 'database writes': statements };
        return rows.perSecond + SOCKETS / HOUR_S;
      },
      anchor: async () => ROWS_PER_SECOND,
      further: async () => figures,
      async close() {
        await sockets.close();
        await lab.stop();
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
