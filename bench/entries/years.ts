import type { AddressInfo } from 'node:net';
import { type App, createApp } from '../../service/src/app.ts';
import { type Database, transaction } from '../../service/src/db/index.ts';
import { createManualClock } from '../../service/src/lib/clock.ts';
import { createClient, OPERATOR_SCOPES } from '../../service/src/oidc/index.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { sized } from '../harness/sizes.ts';
import { type ContractRead, contractReads, longReads } from '../support/contract-reads.ts';
import { type DiskUse, growthOf } from '../support/disk-use.ts';
import { addDeposits } from '../support/fill-account.ts';
import { openConnection } from '../support/http-connection.ts';
import { openYearLab, type YearLab } from '../support/year-lab.ts';

/** The goal is for 10,000; fewer show the same shape in less time. */
const DEVICES = Number(process.env.BENCH_DEVICES ?? sized(10_000, 20));
const MONTHS = sized(12, 2);
/** From when on storage has reached its usual size. */
const FULL_MONTH = sized(3, 1);
const REQUESTS = 100;
const REDIRECT_URI = 'https://app.example.test/callback';
/** Has referees where there are fifty devices. */
const PERSON = 3;

type Ids = Parameters<typeof contractReads>[0];

/** Of people and operators, made before the first month ends: both sides have them. */
async function prepare(lab: YearLab): Promise<Ids> {
  const { client } = await transaction(lab.database(), (tx) =>
    createClient(tx, lab.clock, {
      ...{ name: 'Bench', isPublic: true, isFirstParty: false, redirectUris: [REDIRECT_URI] },
      ...{ scopes: ['openid', 'account:read'], grantTypes: ['authorization_code'] },
    }),
  );
  const depositId = await addDeposits(lab.database(), PERSON);
  return { depositId, clientId: client.clientId, redirectUri: REDIRECT_URI };
}

interface Side {
  readonly now: Date;
  /**
   * Sends a GET again and again; the milliseconds that one of four answers takes at most: what lies
   * above is the machine's other work.
   */
  measure(read: ContractRead): Promise<number>;
  close(): Promise<void>;
}

/** The service on a database whose clock stands still. */
async function openSide(database: Database, lab: YearLab): Promise<Side> {
  const clock = createManualClock(lab.clock.now());
  const { config } = lab;
  const app: App = await createApp({ config, database, masterKey: testMasterKey, clock });
  await app.start();
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.http.server.address() as AddressInfo;
  const tokens = createTestTokens(database, { config, clock });
  const person = (await tokens.login(PERSON)).accessToken;
  const operator = await tokens.operator(...OPERATOR_SCOPES);
  return {
    now: clock.now(),
    async measure({ path, status = 200 }) {
      const token = path.startsWith('/operator/') ? operator : person;
      const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
      const connection = openConnection(port);
      const times: number[] = [];
      for (let n = 0; n < REQUESTS; n++) {
        const started = performance.now();
        const answer = await connection.exchange(request);
        times.push(performance.now() - started);
        if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}`);
      }
      connection.close();
      return times.toSorted((a, b) => a - b)[REQUESTS / 4] ?? Number.NaN;
    },
    close: () => app.stop(),
  };
}

const sumOf = ({ tables }: DiskUse): number => [...tables.values()].reduce((a, b) => a + b, 0);

/** Growth since the month in which storage has its usual size. */
function describeGrowth(uses: readonly DiskUse[]): Record<string, string> {
  const [full, last] = [uses[FULL_MONTH - 1], uses.at(-1)];
  if (!full || !last) return {};
  const ratio = sumOf(last) / sumOf(full);
  const growth = growthOf(full, last).map(([name, bytes]) => `${name} ${Math.round(bytes / 1024)}`);
  return {
    [`hot storage, month ${MONTHS} beside month ${FULL_MONTH} (goal 1.05)`]: ratio.toFixed(3),
    'bytes of each month': uses.map(sumOf).join(', '),
    'growth of each table, KiB': growth.join(', '),
  };
}

const entry: BenchEntry = {
  name: 'years',
  summary:
    `${MONTHS} months of ${DEVICES} devices, one of each person, always online, with archives ` +
    `and retention: each read of a person and of operators at the end of month ${MONTHS}, ` +
    'beside the end of month 1',
  unit: 'ms',
  operation: 'request',
  goal: { ratio: 1.2, is: 'at most' },
  async openCases() {
    const lab = await openYearLab(DEVICES);
    const ids = await prepare(lab);
    await lab.liveMonth();
    const first = await openSide(await lab.copy('first_month'), lab);
    const uses: DiskUse[] = [await lab.measure()];
    while (uses.length < MONTHS) {
      await lab.liveMonth();
      uses.push(await lab.measure());
    }
    const last = await openSide(lab.database(), lab);
    const readsOf = ({ now }: Side) => [...contractReads(ids, now), ...longReads(now)];
    const [before, after] = [readsOf(first), readsOf(last)];
    return {
      cases: after.map((read, n) => ({
        name: read.name,
        ours: () => last.measure(read),
        anchor: () => first.measure(before[n] ?? read),
      })),
      further: async () => describeGrowth(uses),
      async close() {
        await first.close();
        await last.close();
        await lab.close();
      },
    };
  },
};

export default entry;
