/**
 * Turns concurrent callers into groups: while some groups are under way, whoever comes waits for the next one. A lone
 * caller waits for nobody. What a group costs once (a round of locks, a sync of the disk) then serves all in it.
 */

export interface Coalescer<Item, Answer> {
  submit(item: Item): Promise<Answer>;
}

export interface CoalescerOptions<Item, Answer> {
  /** Groups under way at once. */
  readonly underWayMax: number;
  /** Size of a group; a larger item goes alone. */
  readonly sizeMax: number;
  /** What waits and what is under way is shared evenly among the groups, but not below this size. Default: `sizeMax`, no sharing. */
  readonly shareMin?: number;
  /** Default: every item counts one. */
  readonly sizeOf?: (item: Item) => number;
  /** What an item locks: it waits for the group that has any of it, where it would make a whole group wait. Default: nothing. */
  readonly keysOf?: (item: Item) => readonly number[];
  /** A group that takes longer (ms) makes room for another; what it locks stays locked. Default: it never does. */
  readonly patience_ms?: number;
  /** Answers in the order of the items. When it fails, each item is tried alone and meets its own fate. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Beside the groups, not counted among them: whoever waits long here keeps nobody else waiting. Default: `run`, of the one. */
  readonly runAlone?: (item: Item) => Promise<Answer>;
}

interface Call<Item, Answer> {
  readonly item: Item;
  readonly size: number;
  readonly keys: readonly number[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const NO_KEYS: readonly number[] = [];

export function createCoalescer<Item, Answer>(options: CoalescerOptions<Item, Answer>): Coalescer<Item, Answer> {
  const { underWayMax, sizeMax, shareMin = sizeMax, sizeOf = () => 1, keysOf = () => NO_KEYS, patience_ms, run, runAlone } = options;
  type Waiting = Call<Item, Answer>;
  let waiting: Waiting[] = [];
  let waitingSize = 0;
  let underWay = 0;
  let underWaySize = 0;
  const lockedKeys = new Set<number>();
  let isDrainDue = false;

  /** Groups that end together would else be one from then on, and nothing overlap with anything any more. */
  function shareNow(): number {
    const share = Math.ceil((waitingSize + underWaySize) / underWayMax);
    return Math.min(sizeMax, Math.max(shareMin, share));
  }

  /** In the order in which they came, but past those that wait for a group under way. Nobody overtakes whom he shares a key with. */
  function takeCalls(): Waiting[] {
    const share = shareNow();
    const taken: Waiting[] = [];
    const passed: Waiting[] = [];
    const passedKeys = new Set<number>();
    let size = 0;
    let seen = 0;
    for (const call of waiting) {
      const mustWait = call.keys.some((key) => lockedKeys.has(key) || passedKeys.has(key));
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
    waiting = [...passed, ...waiting.slice(seen)];
    waitingSize -= size;
    return taken;
  }

  async function runTogether(items: readonly Item[]): Promise<readonly Answer[]> {
    const answers = await run(items);
    if (answers.length !== items.length) throw new Error(`${items.length} items were given ${answers.length} answers`);
    return answers;
  }

  function retryAlone({ item, resolve, reject }: Waiting): void {
    const answer = runAlone ? runAlone(item) : runTogether([item]).then(([only]) => only as Answer);
    answer.then(resolve, reject);
  }

  async function runCalls(calls: readonly Waiting[]): Promise<void> {
    try {
      const answers = await runTogether(calls.map((call) => call.item));
      for (const [i, call] of calls.entries()) call.resolve(answers[i] as Answer);
    } catch (error) {
      if (calls.length === 1 && !runAlone) for (const call of calls) call.reject(error);
      else for (const call of calls) retryAlone(call);
    }
  }

  async function runGroup(calls: readonly Waiting[]): Promise<void> {
    const size = calls.reduce((sum, call) => sum + call.size, 0);
    const keys = calls.flatMap((call) => call.keys);
    underWay += 1;
    underWaySize += size;
    for (const key of keys) lockedKeys.add(key);
    let counts = true;
    const makeRoom = (): void => {
      if (counts) {
        counts = false;
        underWay -= 1;
        underWaySize -= size;
      }
      if (waiting.length > 0) scheduleDrain();
    };
    const timer = patience_ms === undefined ? undefined : setTimeout(makeRoom, patience_ms);
    await runCalls(calls);
    clearTimeout(timer);
    for (const key of keys) lockedKeys.delete(key);
    makeRoom();
  }

  function drain(): void {
    isDrainDue = false;
    while (underWay < underWayMax && waiting.length > 0) {
      const calls = takeCalls();
      if (calls.length === 0) return;
      void runGroup(calls);
    }
  }

  /** In the next turn of the event loop: those who come in the same one come together. */
  function scheduleDrain(): void {
    if (isDrainDue || underWay >= underWayMax) return;
    isDrainDue = true;
    setImmediate(drain);
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        const size = sizeOf(item);
        waiting.push({ item, size, keys: keysOf(item), resolve, reject });
        waitingSize += size;
        scheduleDrain();
      }),
  };
}
