/**
 * Sends what waits for several receivers, each apart from the others: one that is slow delays none
 * of them.
 */

export interface TargetQueuesOptions<Target> {
  /** Receivers with something to send now. */
  findDue(): Promise<readonly Target[]>;
  keyOf(target: Target): string | number;
  /** Claims and sends some of it. @returns whether there may be more */
  sendSome(target: Target): Promise<boolean>;
  onError(error: unknown): void;
}

export class TargetQueues<Target> {
  readonly #options: TargetQueuesOptions<Target>;
  readonly #busy = new Map<string | number, Promise<void>>();
  #isStopped = false;

  constructor(options: TargetQueuesOptions<Target>) {
    this.#options = options;
  }

  /** Starts sending what is due; receivers already busy continue by themselves. */
  async kick(): Promise<void> {
    if (this.#isStopped) return;
    const { findDue, keyOf, onError } = this.#options;
    for (const target of await findDue()) {
      const key = keyOf(target);
      if (this.#busy.has(key)) continue;
      const work = this.#serve(target)
        .catch(onError)
        .finally(() => this.#busy.delete(key));
      this.#busy.set(key, work);
    }
  }

  /** Waits for what is under way. */
  async settle(): Promise<void> {
    await Promise.all(this.#busy.values());
  }

  /** Starts nothing more, and waits for what is under way. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.settle();
  }

  async #serve(target: Target): Promise<void> {
    let hasMore = true;
    while (hasMore && !this.#isStopped) hasMore = await this.#options.sendSome(target);
  }
}

/**
 * When to try again. A fifth more or less, so that messages which failed together do not come back
 * together.
 */
export function nextAttemptAt(now: Date, wait_s: number): Date {
  return new Date(now.getTime() + wait_s * 1000 * (0.8 + Math.random() * 0.4));
}
