/**
 * Turns concurrent calls into batches: calls that arrive while batches are running wait for the
 * next one. A single call waits for nothing. The fixed cost of a batch (locks, a sync to disk) is
 * then shared by its calls.
 */

export interface CallBatcher<Item, Answer> {
  submit(item: Item): Promise<Answer>;
}

export interface CallBatcherOptions<Item, Answer> {
  /** Batches running at once. */
  readonly concurrencyMax: number;
  /** Size of a batch; a larger item goes alone. */
  readonly sizeMax: number;
  /**
   * What waits and what runs is shared evenly among the batches, but not below this size. Default:
   * `sizeMax`.
   */
  readonly sizeMin?: number;
  /** Default: every item counts one. */
  readonly sizeOf?: (item: Item) => number;
  /** What an item locks: it waits for the batch that has any of it. Default: nothing. */
  readonly keysOf?: (item: Item) => readonly number[];
  /** Answers in the order of the items. When it fails, the items are run apart from each other. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /**
   * Runs items that share keys after their batch failed. It does not count as a running batch.
   * Default: `run`.
   */
  readonly runApart?: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /**
   * True for an error that each item would meet again alone, for example a lock that stays taken.
   * Default: none is.
   */
  readonly isSharedError?: (error: unknown) => boolean;
}

interface Call<Item, Answer> {
  readonly item: Item;
  readonly size: number;
  readonly keys: readonly number[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const NO_KEYS: readonly number[] = [];
/** Parts of a failed batch that run at once: one of them may wait for a lock. */
const APART_CONCURRENCY = 4;

/** Parts of a batch that share no key. */
export function splitByKeys<T extends { readonly keys: readonly number[] }>(
  calls: readonly T[],
): T[][] {
  const partOf = new Map<number, T[]>();
  const parts = new Set<T[]>();
  for (const call of calls) {
    const joined = new Set(
      call.keys.flatMap((key) => [partOf.get(key) ?? []]).filter((part) => part.length > 0),
    );
    const part = [...[...joined].flat(), call];
    for (const old of joined) parts.delete(old);
    parts.add(part);
    for (const key of part.flatMap(({ keys }) => keys)) partOf.set(key, part);
  }
  return [...parts];
}

class Batcher<Item, Answer> implements CallBatcher<Item, Answer> {
  readonly #options: CallBatcherOptions<Item, Answer>;
  readonly #lockedKeys = new Set<number>();
  #waiting: Call<Item, Answer>[] = [];
  #waitingSize = 0;
  #running = 0;
  #runningSize = 0;
  #isDrainDue = false;

  constructor(options: CallBatcherOptions<Item, Answer>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Answer> {
    const { sizeOf = () => 1, keysOf = () => NO_KEYS } = this.#options;
    return new Promise((resolve, reject) => {
      const size = sizeOf(item);
      this.#waiting.push({ item, size, keys: keysOf(item), resolve, reject });
      this.#waitingSize += size;
      this.#scheduleDrain();
    });
  }

  /** In the next turn of the event loop, so that calls of one turn come together. */
  #scheduleDrain(): void {
    if (
      this.#isDrainDue ||
      this.#waiting.length === 0 ||
      this.#running >= this.#options.concurrencyMax
    )
      return;
    this.#isDrainDue = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    this.#isDrainDue = false;
    while (this.#running < this.#options.concurrencyMax && this.#waiting.length > 0) {
      const calls = this.#takeCalls();
      if (calls.length === 0) return;
      void this.#runBatch(calls);
    }
  }

  /**
   * An even share for each batch: batches that end together would otherwise become one, and nothing
   * would overlap.
   */
  #shareNow(): number {
    const { concurrencyMax, sizeMax, sizeMin = sizeMax } = this.#options;
    const share = Math.ceil((this.#waitingSize + this.#runningSize) / concurrencyMax);
    return Math.min(sizeMax, Math.max(sizeMin, share));
  }

  /**
   * In order of arrival, but past calls that wait for a running batch. Calls that share a key keep
   * their order.
   */
  #takeCalls(): Call<Item, Answer>[] {
    const share = this.#shareNow();
    const taken: Call<Item, Answer>[] = [];
    const passed: Call<Item, Answer>[] = [];
    const passedKeys = new Set<number>();
    let size = 0;
    let seen = 0;
    for (const call of this.#waiting) {
      const mustWait = call.keys.some((key) => this.#lockedKeys.has(key) || passedKeys.has(key));
      if (!mustWait && taken.length > 0 && size + call.size > share) break;
      seen += 1;
      if (mustWait) {
        passed.push(call);
        for (const key of call.keys) passedKeys.add(key);
      } else {
        taken.push(call);
        size += call.size;
      }
    }
    this.#waiting = [...passed, ...this.#waiting.slice(seen)];
    this.#waitingSize -= size;
    return taken;
  }

  async #runBatch(calls: readonly Call<Item, Answer>[]): Promise<void> {
    const size = calls.reduce((sum, call) => sum + call.size, 0);
    const keys = calls.flatMap((call) => call.keys);
    this.#running += 1;
    this.#runningSize += size;
    for (const key of keys) this.#lockedKeys.add(key);
    const isDone = await this.#settle(this.#options.run, calls).catch(() => false);
    this.#running -= 1;
    this.#runningSize -= size;
    // Other calls continue while the parts of a failed batch run; those that share a key wait.
    this.#scheduleDrain();
    if (!isDone) await this.#runParts(splitByKeys(calls));
    for (const key of keys) this.#lockedKeys.delete(key);
    this.#scheduleDrain();
  }

  /** Runs calls and hands out their answers. */
  async #settle(
    run: CallBatcherOptions<Item, Answer>['run'],
    calls: readonly Call<Item, Answer>[],
  ): Promise<boolean> {
    const answers = await run(calls.map((call) => call.item));
    if (answers.length !== calls.length)
      throw new Error(`${calls.length} items were given ${answers.length} answers`);
    for (const [i, call] of calls.entries()) call.resolve(answers[i] as Answer);
    return true;
  }

  async #runParts(parts: readonly Call<Item, Answer>[][]): Promise<void> {
    const { run, runApart = run, isSharedError = () => false } = this.#options;
    const queue = [...parts];
    const work = async (): Promise<void> => {
      for (let part = queue.shift(); part; part = queue.shift()) {
        const calls = part;
        await this.#settle(runApart, calls).catch(async (error: unknown) => {
          if (calls.length > 1 && !isSharedError(error))
            await this.#runParts(calls.map((call) => [call]));
          else for (const call of calls) call.reject(error);
        });
      }
    };
    await Promise.all(Array.from({ length: APART_CONCURRENCY }, work));
  }
}

export function createCallBatcher<Item, Answer>(
  options: CallBatcherOptions<Item, Answer>,
): CallBatcher<Item, Answer> {
  return new Batcher(options);
}
