/** What a child process prints, and a wait for what it prints next. */
import type { ChildProcess } from 'node:child_process';

export interface WatchedOutput {
  output(): string;
  /** Waits until the output matches, from `offset` characters on. */
  waitFor(pattern: RegExp, offset?: number): Promise<RegExpExecArray>;
  readonly exited: Promise<number | null>;
}

interface Options {
  readonly wait_ms: number;
  /** Makes text of the output. */
  readonly clean?: (text: string) => string;
}

export function watchOutput(
  child: ChildProcess,
  { wait_ms, clean = (text) => text }: Options,
): WatchedOutput {
  let printed = '';
  const output = (): string => clean(printed);
  const waiting = new Set<() => void>();
  const keep = (chunk: Buffer): void => {
    printed += chunk.toString();
    for (const check of waiting) check();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return {
    output,
    exited: new Promise((resolve) => child.once('close', resolve)),
    waitFor(pattern, offset = 0) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`the program did not print ${pattern}:\n${output()}`)),
          wait_ms,
        );
        const check = (): void => {
          const match = pattern.exec(output().slice(offset));
          if (!match) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(match);
        };
        waiting.add(check);
        check();
      });
    },
  };
}
