import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import type { BareEcho } from '../support/bare-echo-server.ts';
import { startChildServer } from '../support/child-server.ts';
import { readFigures } from '../support/control-server.ts';
import { COUNTING_SETTINGS, countWrites } from '../support/count-writes.ts';
import type { DeviceLab } from '../support/device-lab-server.ts';
import { type OpenSockets, openSockets } from '../support/socket-lab.ts';

const SOCKETS = 15_000;
const PER_PERSON = 1000;
const ALLOWED_KB = 6;
const QUIET_MS = 15_000;
const BEATING_S = 10;

interface SocketCost {
  /** What JavaScript and its buffers hold for each socket after a garbage collection, KB. */
  readonly held_kb: number;
  /** Growth of the process for each socket, KB: less, where it could reuse memory that it had. */
  readonly resident_kb: number;
}

/** Opens all sockets on a process that is used for this only. */
async function measureSocket(
  url: string,
  controlUrl: string,
  tokensFile: string,
  further?: (sockets: OpenSockets) => Promise<void>,
): Promise<SocketCost> {
  const before = await readFigures(controlUrl);
  const sockets = await openSockets(url, tokensFile, SOCKETS);
  try {
    if (sockets.opened !== SOCKETS)
      throw new Error(
        `${sockets.opened} of ${SOCKETS} connections were opened, ${sockets.failed} failed`,
      );
    const after = await readFigures(controlUrl);
    await further?.(sockets);
    return {
      held_kb: (after.held - before.held) / SOCKETS / 1000,
      resident_kb: (after.rss - before.rss) / SOCKETS / 1000,
    };
  } finally {
    await sockets.close();
  }
}

const entry: BenchEntry = {
  name: 'sockets',
  summary:
    `${SOCKETS} live connections on one process, from two client processes: memory of ` +
    `each beyond a bare ws echo server, beside ${ALLOWED_KB} KB`,
  unit: 'KB/socket beyond bare',
  goal: { ratio: 1, is: 'at most' },
  rounds: 1,
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
    let figures: Record<string, string> = {};
    let beyond_kb: number | undefined;
    return {
      // The first 15,000 sockets are the measurement: a process that has held them before keeps
      // their memory.
      async ours() {
        if (beyond_kb !== undefined) return beyond_kb;
        const bare = await startChildServer<BareEcho>(
          new URL('../support/bare-echo-server.ts', import.meta.url),
          [],
        );
        const echo = await measureSocket(
          bare.ready.baseUrl.replace('http', 'ws'),
          bare.ready.controlUrl,
          '-',
        );
        await bare.stop();
        const writes: Record<string, string> = {};
        const mine = await measureSocket(url, lab.ready.controlUrl, tokensFile, async (sockets) => {
          const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
          writes['database writes while they are idle'] = await countWrites(postgres.url, quiet);
          writes['database writes while all of them beat'] = await countWrites(postgres.url, () =>
            sockets.beat(BEATING_S),
          );
        });
        const show = ({ held_kb, resident_kb }: SocketCost): string =>
          `${held_kb.toFixed(2)} KB/socket held, ${resident_kb.toFixed(2)} KB/socket resident`;
        figures = { 'bare ws': show(echo), ours: show(mine), ...writes };
        beyond_kb = Math.max(mine.held_kb - echo.held_kb, mine.resident_kb - echo.resident_kb);
        return beyond_kb;
      },
      anchor: async () => ALLOWED_KB,
      further: async () => figures,
      async close() {
        await lab.stop();
        await postgres.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
