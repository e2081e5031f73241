import { hash, verify } from '@node-rs/argon2';
import { readConfig } from '../../service/src/config.ts';
import { readHashCost } from '../../service/src/identity/passwords.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { type BenchEntry, round } from '../harness/entry.ts';
import { startChildServer } from '../support/child-server.ts';
import { send } from '../support/code-flow-client.ts';
import type { LoginServer } from '../support/login-server.ts';

/**
 * As configured where it runs: by default, or at `PASSWORD_HASH_MEMORY` and `PASSWORD_HASH_PASSES`.
 */
const COST = readHashCost(readConfig(process.env));
const CONCURRENT = 8;
const ROUND_MS = 4000;
const HEALTH_EVERY_MS = 10;

/** Runs `work` over and over, so many at a time, for one round; gives how many ended per second. */
async function measureRate(work: (n: number) => Promise<void>): Promise<number> {
  const started = performance.now();
  let done = 0;
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      await work(begun++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  return done / ((performance.now() - started) / 1000);
}

/**
 * Asks for health at a steady pace while `load` runs; gives the 99th percentile in milliseconds.
 */
async function measureHealth(baseUrl: string, load: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isRunning = true;
  void load.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const started = performance.now();
    await send('GET', `${baseUrl}/healthz`);
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

const entry: BenchEntry = {
  name: 'login',
  summary:
    'POST /user/login-with-password (ticket stored, code mailed) beside bare argon2id of ' +
    `the same cost, ${CONCURRENT} at a time`,
  unit: 'logins/s',
  goal: { ratio: 0.8, is: 'at least' },
  async open() {
    const postgres = await startPostgres({});
    const server = await startChildServer<LoginServer>(
      new URL('../support/login-server.ts', import.meta.url),
      [postgres.url, String(COST.memoryCost), String(COST.timeCost)],
    );
    const { baseUrl, emails, loginPassword } = server.ready;
    const stored = await hash(loginPassword, COST);
    const logIn = async (n: number): Promise<void> => {
      const body = JSON.stringify({
        email: emails[n % emails.length],
        login_password: loginPassword,
      });
      const answer = await send(
        'POST',
        `${baseUrl}/user/login-with-password`,
        { 'content-type': 'application/json' },
        body,
      );
      if (answer.status !== 200)
        throw new Error(`a login was answered ${answer.status}: ${answer.body}`);
    };
    const hashOnce = async (): Promise<void> => void (await verify(stored, loginPassword));
    const readServersCpu = async (): Promise<number> =>
      (JSON.parse((await send('GET', `${baseUrl}/bench/cpu`)).body) as { cpu_us: number }).cpu_us;
    const readOwnCpu = async (): Promise<number> => {
      const { user, system } = process.cpuUsage();
      return user + system;
    };
    /**
     * Processor time of one piece of work, in milliseconds: other work on the machine changes it
     * little.
     */
    async function measureCpu(
      read: () => Promise<number>,
      work: (n: number) => Promise<void>,
    ): Promise<number> {
      const before = await read();
      const done = ((await measureRate(work)) * ROUND_MS) / 1000;
      return ((await read()) - before) / done / 1000;
    }
    return {
      ours: () => measureRate(logIn),
      anchor: () => measureRate(hashOnce),
      async further() {
        const [our, bare] = [
          await measureCpu(readServersCpu, logIn),
          await measureCpu(readOwnCpu, hashOnce),
        ];
        const idle = await measureHealth(
          baseUrl,
          new Promise((resolve) => setTimeout(resolve, ROUND_MS)),
        );
        const loaded = await measureHealth(baseUrl, measureRate(logIn));
        return {
          'argon2id cost': `${COST.memoryCost} KiB, ${COST.timeCost} passes`,
          'processor time':
            `ours ${round(our)} ms a sign-in (without PostgreSQL), anchor ${round(bare)} ms, ` +
            `ratio ${round(bare / our)}`,
          'p99 of GET /healthz, idle': `${round(idle)} ms`,
          'p99 of GET /healthz, under this load':
            `${round(loaded)} ms ` + `(${round(loaded / idle)} × idle; goal ≤ 5)`,
        };
      },
      async close() {
        await server.stop();
        await postgres.stop();
      },
    };
  },
};

export default entry;
