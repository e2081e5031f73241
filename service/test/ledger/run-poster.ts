/** Starts posters and kills them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import type { PosterTask } from './posting-worker.ts';

export interface Poster {
  /** Keys that were acknowledged so far. */
  readonly acknowledged: string[];
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
}

export function runPoster(task: PosterTask): Poster {
  const child = spawn(
    process.execPath,
    [
      ...CHILD_FLAGS,
      new URL('./posting-worker.ts', import.meta.url).pathname,
      JSON.stringify(task),
    ],
    {
      env: { ...process.env, ...childCache() },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const acknowledged: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => resolve(code)),
  );
  return { acknowledged, child, exited };
}

/** Runs a poster until `count` of its postings are acknowledged, then kills it with SIGKILL. */
export async function killAfter(poster: Poster, count: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    poster.child.stdout?.on('data', () => {
      if (poster.acknowledged.length >= count) resolve();
    });
    poster.child.once('close', (code) =>
      reject(new Error(`the poster ended with ${code} before it was killed`)),
    );
  });
  poster.child.kill('SIGKILL');
  await poster.exited;
}
