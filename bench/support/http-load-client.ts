/**
 * The process that makes the load: `node http-load-client.ts PLAN`, with the plan as JSON. Prints
 * one line of JSON. It is a process of its own, so that neither its work nor its garbage stands in
 * the way of what is measured.
 */
import { openConnection } from './http-connection.ts';
import { createRequests, findFault, type RequestKind, type Target } from './http-requests.ts';

/** What is sent, by how many connections, for how long or how often. */
export interface LoadPlan extends Target {
  readonly connections: number;
  readonly what: RequestKind;
  readonly until: { readonly seconds: number } | { readonly requests: number };
}

export interface LoadResult {
  /** Answers, all of them as expected. */
  readonly answers: number;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of this process while it sent. */
  readonly client_us: number;
}

/**
 * Sends on one connection until the end of the plan; notes how long each answer took. @throws when
 * an answer is not as expected
 */
async function drive(
  plan: LoadPlan,
  next: () => string,
  mayGoOn: () => boolean,
  times: number[],
): Promise<void> {
  const connection = openConnection(plan.port);
  while (mayGoOn()) {
    const sentAt = performance.now();
    const { status, body } = await connection.exchange(next());
    times.push(performance.now() - sentAt);
    const fault = findFault(plan.what, status, body);
    if (fault !== undefined) throw new Error(fault);
  }
  connection.close();
}

/** Says whether another request is to be sent, and counts it. */
function createLimit({ until }: LoadPlan): () => boolean {
  if ('requests' in until) {
    let left = until.requests;
    return () => left-- > 0;
  }
  const end = performance.now() + until.seconds * 1000;
  return () => performance.now() < end;
}

async function runPlan(plan: LoadPlan): Promise<LoadResult> {
  const next = createRequests(plan, plan.what);
  const times: number[] = [];
  const processor = process.cpuUsage();
  const started = performance.now();
  const mayGoOn = createLimit(plan);
  await Promise.all(
    Array.from({ length: plan.connections }, () => drive(plan, next, mayGoOn, times)),
  );
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(processor);
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return {
    answers: times.length,
    seconds,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    client_us: user + system,
  };
}

const plan = JSON.parse(process.argv[2] ?? '{}') as LoadPlan;
try {
  console.log(JSON.stringify(await runPlan(plan)));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
