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
  /** Default: every item counts one. */
  readonly sizeOf?: (item: Item) => number;
  /** Answers in the order of the items. When it fails, each item is tried alone and meets its own fate. */
  readonly run: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Beside the groups, not counted among them: whoever waits long here keeps nobody else waiting. Default: `run`, of the one. */
  readonly runAlone?: (item: Item) => Promise<Answer>;
}

interface Call<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export function createCoalescer<Item, Answer>(options: CoalescerOptions<Item, Answer>): Coalescer<Item, Answer> {
  const { underWayMax, sizeMax, sizeOf = () => 1, run, runAlone } = options;
  type Waiting = Call<Item, Answer>;
  const waiting: Waiting[] = [];
  let underWay = 0;

  function takeCalls(): Waiting[] {
    let size = 0;
    let count = 0;
    for (const { item } of waiting) {
      size += sizeOf(item);
      if (size > sizeMax && count > 0) break;
      count += 1;
    }
    return waiting.splice(0, count);
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

  async function drain(): Promise<void> {
    if (underWay >= underWayMax) return;
    underWay += 1;
    while (waiting.length > 0) await runCalls(takeCalls());
    underWay -= 1;
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Those who come in the same turn of the event loop come together.
        if (underWay < underWayMax) setImmediate(() => void drain());
      }),
  };
}
