/**
 * Load as business servers make it: rewards with an idempotency key, each repeated until there is a
 * definite answer. What was acknowledged is counted in the ledger afterwards.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { DrillReport } from '../harness/drill.ts';
import { type DatabaseAddress, query } from './cluster.ts';
import { DATABASE, type Lab } from './lab.ts';

const PAUSE_MS = 25;
const SIGN_IN_PAUSE_MS = 1000;
/** A client's own patience; the service promises an answer within five seconds. */
const GIVES_UP_MS = 20_000;

export interface Attempt {
  /** When it was answered, by `performance.now()`. */
  readonly at: number;
  readonly took_ms: number;
  /** Status of the answer; 0 without one. */
  readonly status: number;
}

export interface Load {
  readonly attempts: readonly Attempt[];
  /** Postings that were acknowledged, by key. */
  readonly acknowledged: ReadonlySet<string>;
  /** When the first posting was acknowledged that was sent after this time. */
  nextAcknowledged(since: number): Promise<number>;
  /** How often the most repeated posting was sent. */
  mostTries(): number;
  /** Ends when each worker has its last answer. */
  stop(): Promise<void>;
}

async function attempt(url: string, init: RequestInit): Promise<Attempt> {
  const begun = performance.now();
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(GIVES_UP_MS) }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer().catch(() => undefined);
  const at = performance.now();
  return { at, took_ms: at - begun, status: answer?.status ?? 0 };
}

/** @param addresses what each worker asks in turn, the next one after a failure */
export function startPostings(
  lab: Lab,
  token: string,
  {
    workers = 4,
    addresses = lab.addresses,
  }: { workers?: number; addresses?: readonly string[] } = {},
): Load {
  const attempts: (Attempt & { begun: number })[] = [];
  const acknowledged = new Set<string>();
  let mostTries = 0;
  let isRunning = true;

  async function post(worker: number, key: string): Promise<void> {
    const init = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        user_id: lab.people[worker % lab.people.length]?.userId,
        ...{ currency: 'EDGE', amount: '1', reward_type: 'BONUS' },
      }),
    };
    for (let i = worker; ; i++) {
      mostTries = Math.max(mostTries, i - worker + 1);
      const begun = performance.now();
      const one = await attempt(`${addresses[i % addresses.length]}/operator/rewards`, init);
      attempts.push({ ...one, begun });
      if (one.status === 200) break;
      await wait(PAUSE_MS);
    }
    acknowledged.add(key);
  }
  const running = Array.from({ length: workers }, async (_, worker) => {
    while (isRunning) {
      await post(worker, `drill-${randomUUID()}`);
      await wait(PAUSE_MS);
    }
  });
  return {
    attempts,
    acknowledged,
    mostTries: () => mostTries,
    async nextAcknowledged(since) {
      const find = () => attempts.find(({ begun, status }) => begun >= since && status === 200);
      await until(async () => find() !== undefined);
      return find()?.at ?? 0;
    },
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

/** Reads with a token without end: each instance in turn. @param tries of each, before it failed */
export function startReads(
  addresses: readonly string[],
  path: string,
  token: string,
  tries = 1,
): Pick<Load, 'attempts' | 'stop'> {
  const attempts: Attempt[] = [];
  const headers = { authorization: `Bearer ${token}` };
  let isRunning = true;

  async function read(url: string): Promise<Attempt> {
    for (let left = tries - 1; ; left--) {
      const one = await attempt(url, { headers });
      if (one.status === 200 || left <= 0) return one;
      await wait(PAUSE_MS);
    }
  }
  const running = addresses.map(async (address) => {
    while (isRunning) {
      attempts.push(await read(`${address}${path}`));
      await wait(PAUSE_MS);
    }
  });
  return {
    attempts,
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

export interface SignIns {
  readonly failures: readonly string[];
  readonly count: () => number;
  stop(): Promise<void>;
}

/** Users who register and sign in without end, at each address in turn. */
export function startSignIns(
  lab: Lab,
  cluster: DatabaseAddress,
  addresses: readonly string[],
): SignIns {
  const failures: string[] = [];
  let [count, isRunning] = [0, true];
  const running = addresses.map(async (address) => {
    while (isRunning) {
      await lab.signUp(cluster, address).then(
        () => count++,
        (error: unknown) => failures.push(String(error)),
      );
      await wait(SIGN_IN_PAUSE_MS);
    }
  });
  return {
    ...{ failures, count: () => count },
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}

/** Asks again until the answer is yes. @returns when that was, by `performance.now()` */
export async function until(ask: () => Promise<boolean>, every_ms = PAUSE_MS): Promise<number> {
  while (!(await ask())) await wait(every_ms);
  return performance.now();
}

/** How often each status was answered, for a note. */
export function countStatuses(attempts: readonly Attempt[]): string {
  const counts = new Map<number, number>();
  for (const { status } of attempts) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, n]) => `${n} × ${status || 'no answer'}`).join(', ');
}

export const longest = (attempts: readonly Attempt[]): number =>
  Math.max(0, ...attempts.map(({ took_ms }) => took_ms)) / 1000;

/** @param share for example 0.99 */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The longest time without an acknowledged posting, in seconds. */
export function longestPause(attempts: readonly Attempt[]): number {
  const times = attempts.flatMap(({ at, status }) => (status === 200 ? [at] : []));
  return Math.max(0, ...times.slice(1).map((at, i) => at - (times[i] ?? at))) / 1000;
}

/** The keys of the load that the ledger has. */
export async function readPostedKeys(cluster: DatabaseAddress): Promise<string[]> {
  const rows = await query<{ idempotency_key: string }>(
    cluster.url(DATABASE),
    `select idempotency_key from transfer where idempotency_key like '%drill-%'`,
  );
  return rows.map(({ idempotency_key: key }) => key.slice(key.indexOf('drill-')));
}

/** Compares what was acknowledged with the ledger, and lets `verify` read the whole ledger. */
export async function checkBooks(
  report: DrillReport,
  lab: Lab,
  { load, cluster }: { load: Pick<Load, 'acknowledged'>; cluster: DatabaseAddress },
): Promise<void> {
  const posted = await readPostedKeys(cluster);
  const { acknowledged } = load;
  const lost = [...acknowledged].filter((key) => !posted.includes(key));
  report.equal(`of ${acknowledged.size} acknowledged postings, lost`, lost.length, 0);
  report.equal('posted twice', posted.length - new Set(posted).size, 0);
  report.equal('in the ledger without a key that was sent', posted.length - acknowledged.size, 0);
  await lab.command(['verify', '--from-genesis']);
  report.check('verify --from-genesis agrees', true);
}
