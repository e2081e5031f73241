import { execFile } from 'node:child_process';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { promisify } from 'node:util';
import type { BenchEntry } from '../harness/entry.ts';
import { openTestKeys } from '../support/test-keys.ts';

const run = promisify(execFile);
const ROUND_S = 3;
const CONCURRENCY = 32;
const CORES = 2;

/** Operations per second of one worker that repeats `work` for a round. */
async function countFor(seconds: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return count / ((performance.now() - started) / 1000);
}

/**
 * `openssl speed`: RSA 2048 private operations per second, on as many cores as the thread pool may
 * use here.
 */
async function measureOpenssl(): Promise<number> {
  const { stdout } = await run('openssl', [
    'speed',
    '-seconds',
    String(ROUND_S),
    '-multi',
    String(CORES),
    'rsa2048',
  ]);
  const line = stdout.split('\n').find((text) => /^rsa\s+2048/.test(text)) ?? '';
  const [sign = ''] = line.trim().split(/\s+/).slice(-2);
  const figure = Number(sign);
  if (!Number.isFinite(figure) || figure <= 0)
    throw new Error(`openssl printed something else: ${line}`);
  return figure;
}

const entry: BenchEntry = {
  name: 'signing',
  summary:
    'whole access tokens signed with RS256 by the service, beside the bare private ' +
    'operation of openssl speed rsa2048 on the same cores',
  unit: 'signatures/s',
  goal: { ratio: 0.7, is: 'at least' },
  async open() {
    const { sign, close } = await openTestKeys();
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = {
      token_use: 'device',
      sub: '1',
      client_id: 'bench',
      scope: 'openid account:read device:connect',
      exp,
      sid: 'sid',
      email: 'a@b.test',
    } as const;
    return {
      ours: () => countFor(ROUND_S, () => sign(claims)),
      anchor: measureOpenssl,
      async further() {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        const bare = await countFor(ROUND_S, async () =>
          createSign('sha256').update('x'.repeat(600)).sign(privateKey),
        );
        return { 'node:crypto on one thread': `${Math.round(bare)} signatures/s` };
      },
      close,
    };
  },
};

export default entry;
