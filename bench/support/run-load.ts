/** Starts the load client for one round and reads what it measured. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Measured,
  type MeasuredProcesses,
  withProcessorTime,
} from '../harness/processor-time.ts';
import type { LoadPlan, LoadResult } from './http-load-client.ts';

const CLIENT = new URL('./http-load-client.ts', import.meta.url).pathname;
const run = promisify(execFile);

/** One round of load. @throws with the first answer that was not as expected */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const flags = ['--disable-warning=ExperimentalWarning', CLIENT, JSON.stringify(plan)];
  const { stdout } = await run(process.execPath, flags).catch((error: { stderr: string }) => {
    throw new Error(`the load failed: ${error.stderr}`);
  });
  return JSON.parse(stdout) as LoadResult;
}

/**
 * Operations per second of one round of load, with the processor time of each.
 * @param perRequest operations in one request
 */
export async function measureLoad(
  processes: MeasuredProcesses,
  plan: LoadPlan,
  perRequest = 1,
): Promise<Measured> {
  return withProcessorTime(processes, async () => {
    const { answers, seconds, client_us } = await runLoad(plan);
    const operations = answers * perRequest;
    return { figure: operations / seconds, operations, client_us };
  });
}
