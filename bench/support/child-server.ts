/** A measured server in a process of its own, so that the load does not share its event loop. */
import { spawn } from 'node:child_process';

export interface ChildServer<T> {
  /** What the child printed as its first line, parsed. */
  readonly ready: T;
  stop(): Promise<void>;
}

/** Starts a module that prints one line of JSON when it serves, and ends on SIGTERM. */
export async function startChildServer<T>(
  module: URL,
  args: readonly string[],
): Promise<ChildServer<T>> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', module.pathname, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await new Promise<T>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end > 0) resolve(JSON.parse(text.slice(0, end)) as T);
    });
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it was ready`)),
    );
  });
  return {
    ready,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
