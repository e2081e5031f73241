/** Counts the steps of a process, which kills itself (SIGKILL) at one of them. */
import pg from 'pg';

export interface Steps {
  /** Steps so far. */
  count: number;
  /** A step: the process ends here if its turn has come. */
  step(): void;
}

/** @param killAt the step that is not survived; 0 for none */
export function killAtStep(killAt: number): Steps {
  return {
    count: 0,
    step() {
      this.count++;
      if (this.count === killAt) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** Before each statement that this process sends to a server is a step. */
export function stepAtStatements(steps: Steps): void {
  const client = pg.Client.prototype;
  const query = client.query as (...args: unknown[]) => unknown;
  client.query = function (this: pg.Client, ...args: unknown[]): unknown {
    steps.step();
    return query.apply(this, args);
  } as typeof client.query;
}
