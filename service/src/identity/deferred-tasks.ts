/** Work that must not change how long an answer takes, and that the process still finishes before it stops. */

export interface Background {
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
}

export function createBackground(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      // On the next turn of the loop: the answer is on its way by then.
      const promise: Promise<void> = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .catch(onError)
        .finally(() => running.delete(promise));
      running.add(promise);
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
