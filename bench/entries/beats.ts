import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import type { BareEcho } from '../support/bare-echo-server.ts';
import { startChildServer } from '../support/child-server.ts';
import { COUNTING_SETTINGS, countWrites } from '../support/count-writes.ts';
import type { DeviceLab } from '../support/device-lab-server.ts';
import { openSockets } from '../support/socket-lab.ts';

const SOCKETS = 1000;
const SECONDS = 4;

const entry: BenchEntry = {
  name: 'beats',
  summary:
    `beats over ${SOCKETS} live connections, each heard and answered, beside a bare ws ` +
    'echo server',
  unit: 'beats/s',
  goal: { ratio: 0.5, is: 'at least' },
  rounds: 3,
  async open() {
    const postgres = await startPostgres(COUNTING_SETTINGS);
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
    const tokensFile = join(folder, 'tokens');
    const lab = await startChildServer<DeviceLab>(
      new URL('../support/device-lab-server.ts', import.meta.url),
      [postgres.url, tokensFile, String(SOCKETS)],
    );
    const bare = await startChildServer<BareEcho>(
      new URL('../support/bare-echo-server.ts', import.meta.url),
      [],
    );
    const ours = await openSockets(
      `${lab.ready.baseUrl.replace('http', 'ws')}/me/devices/connect`,
      tokensFile,
      SOCKETS,
    );
    const echo = await openSockets(bare.ready.baseUrl.replace('http', 'ws'), '-', SOCKETS);
    if (ours.opened !== SOCKETS || echo.opened !== SOCKETS)
      throw new Error('not every connection was opened');
    return {
      ours: () => ours.beat(SECONDS),
      anchor: () => echo.beat(SECONDS),
      async further() {
        return {
          'database writes while all of them beat': await countWrites(postgres.url, () =>
            ours.beat(2 * SECONDS),
          ),
        };
      },
      async close() {
        await Promise.all([ours.close(), echo.close()]);
        await Promise.all([lab.stop(), bare.stop()]);
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
