import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createPasswords, readHashCost } from '../../service/src/identity/passwords.ts';
import { CHEAP_HASHES, testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { type BenchEntry, medianTime, round, showTime } from '../harness/entry.ts';
import {
  canReadProcesses,
  type Measured,
  type ProcessorTime,
  withProcessorTime,
} from '../harness/processor-time.ts';
import { ROUND_S, sized } from '../harness/sizes.ts';
import { openServiceLab } from '../support/service-lab.ts';
import { createSignInSteps, PEOPLE_MAX } from '../support/sign-in-flow.ts';

const FLOWS = sized(PEOPLE_MAX, 25);
const ALLOWED_MS = 12;
/** Registering makes one hash and signing in checks one. */
const HASHES = 2;

const whole = ({ service_us = 0, database_us = 0 }: ProcessorTime): number =>
  service_us + database_us;

/**
 * Processor time of one hash, made and checked in turn in threads like the service's, at the same
 * cost.
 */
async function measureHash(): Promise<number> {
  const passwords = createPasswords(testMasterKey, readHashCost(testConfig()));
  const md5 = createHash('md5').update('a password').digest('hex');
  const { processor } = await withProcessorTime({ service: process.pid }, async () => {
    const hashes = await Promise.all(Array.from({ length: FLOWS }, () => passwords.hash(md5)));
    await Promise.all(hashes.map((hash) => passwords.verify(hash, md5)));
    return { figure: 0, operations: FLOWS * HASHES };
  });
  return whole(processor);
}

const entry: BenchEntry = {
  name: 'http-sign-in',
  summary:
    'register, verify, login and second factor of a new person: processor time of ' +
    `service and PostgreSQL without the ${HASHES} password hashes (at the cheapest cost, ` +
    `measured apart and subtracted), beside ${ALLOWED_MS} ms`,
  unit: 'ms/flow',
  operation: 'flow, hashes included',
  goal: { ratio: 1, is: 'at most' },
  missing: () =>
    canReadProcesses ? undefined : 'processor time of other processes can be read on Linux only',
  async open() {
    const lab = await openServiceLab({ env: { ...CHEAP_HASHES, RATE_LIMIT_SCALE: '1000000' } });
    const steps = new Map<string, ProcessorTime[]>();
    const hashes: number[] = [];
    async function ours(): Promise<Measured> {
      const hash_us = await measureHash();
      hashes.push(hash_us);
      let [service_us, database_us, client_us] = [0, 0, 0];
      for (const step of createSignInSteps(lab.baseUrl, FLOWS)) {
        const { processor } = await withProcessorTime(lab.processes, async () => {
          await step.run();
          return { figure: 0, operations: FLOWS };
        });
        await step.after?.();
        steps.set(step.name, [...(steps.get(step.name) ?? []), processor]);
        service_us += processor.service_us ?? 0;
        database_us += processor.database_us ?? 0;
        client_us += processor.client_us ?? 0;
      }
      return {
        figure: (service_us + database_us - HASHES * hash_us) / 1000,
        processor: { service_us, database_us, client_us },
      };
    }
    return {
      ours,
      anchor: async () => ALLOWED_MS,
      async further() {
        const { processor } = await withProcessorTime(lab.processes, async () => {
          await wait(ROUND_S * 1000);
          return { figure: 0, operations: ROUND_S };
        });
        const shown = [...steps].map(([name, times]) => [
          `step ${name}, hashes included`,
          showTime(medianTime(times)),
        ]);
        const hash_us = hashes.reduce((sum, hash) => sum + hash, 0) / hashes.length;
        return {
          ...Object.fromEntries(shown),
          'one password hash': `${round(hash_us / 1000)} ms`,
          'background work of the idle service, each second, in all figures above': showTime({
            ...processor,
            client_us: 0,
          }),
        };
      },
      close: lab.close,
    };
  },
};

export default entry;
