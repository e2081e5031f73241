/** Tasks after the response, which must not delay it. The process finishes them before it stops. */

export interface Background {
  run(task: () => Promise<void>): void;
  /** Resolves when no task runs. */
  settle(): Promise<void>;
}

export function createBackground(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>();
  return {
    run(task) {
      // In the next turn of the event loop, after the response was written.
      const promise: Promise<void> = new Promise<void>((resolve) => setImmediate(resolve))
        .then(task)
        .catch(onError)
        .finally(() => running.delete(promise));
      running.add(promise);
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
