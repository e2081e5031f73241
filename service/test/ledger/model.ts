/** The expected behaviour of the ledger, in its simplest form: no SQL, no batches, no locks. */

export interface ModelItem {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  readonly mayOverdraw: boolean;
  readonly key: number;
}

interface ModelAccount {
  readonly isHouse: boolean;
  balance: bigint;
  held: bigint;
}

interface ModelHold {
  readonly account: number;
  remaining: bigint;
  state: 'open' | 'settled' | 'cancelled' | 'expired';
  readonly expiresAt: number | undefined;
}

interface ModelTransfer {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  isReversed: boolean;
  readonly isReversal: boolean;
}

export function createModel(houses: readonly boolean[]) {
  const accounts: ModelAccount[] = houses.map((isHouse) => ({ isHouse, balance: 0n, held: 0n }));
  const holds: ModelHold[] = [];
  const transfers: ModelTransfer[] = [];
  const answers = new Map<string, { body: string; answer: string }>();
  let now = 0;

  const at = (index: number): ModelAccount =>
    accounts[index] ?? { isHouse: true, balance: 0n, held: 0n };
  const available = (account: ModelAccount): bigint => account.balance - account.held;

  /** Repeats a stored answer, or decides and stores what must stay. */
  function once(name: string, body: unknown[], decide: () => string): string {
    const text = JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const known = answers.get(name);
    if (known && known.body !== text) return 'idempotency_key_reused';
    if (known)
      return known.answer === 'posted' || known.answer === 'done' ? 'replayed' : known.answer;
    const answer = decide();
    if (['posted', 'done', 'insufficient_funds'].includes(answer))
      answers.set(name, { body: text, answer });
    return answer;
  }

  function transfer(from: number, to: number, amount: bigint, isReversal: boolean): void {
    at(from).balance -= amount;
    at(to).balance += amount;
    transfers.push({ from, to, amount, isReversed: false, isReversal });
  }

  function postOne({ from, to, amount, mayOverdraw, key }: ModelItem): string {
    return once(`t${key}`, [from, to, amount, mayOverdraw], () => {
      if (from === to) return 'same_account';
      const debit = at(from);
      if (!debit.isHouse && !mayOverdraw && available(debit) < amount) return 'insufficient_funds';
      transfer(from, to, amount, false);
      return 'posted';
    });
  }

  function checkOpen(hold: ModelHold): string | undefined {
    if (hold.state !== 'open') return 'hold_not_open';
    return hold.expiresAt !== undefined && hold.expiresAt <= now ? 'hold_expired' : undefined;
  }

  function release(hold: ModelHold, state: 'cancelled' | 'expired'): void {
    at(hold.account).held -= hold.remaining;
    hold.remaining = 0n;
    hold.state = state;
  }

  return {
    now: () => now,
    isOverdrawn: (index: number) => available(at(index)) < 0n,
    balance: (index: number) => ({ available: available(at(index)), hold: at(index).held }),

    post(items: readonly ModelItem[], atomic: boolean): string[] {
      const saved = {
        accounts: accounts.map((account) => ({ ...account })),
        answers: new Map(answers),
        transfers: transfers.length,
      };
      const results = items.map(postOne);
      const isRefused = (answer: string): boolean => answer !== 'posted' && answer !== 'replayed';
      if (!atomic || !results.some(isRefused)) return results;
      for (const [i, account] of saved.accounts.entries()) Object.assign(at(i), account);
      answers.clear();
      for (const [name, answer] of saved.answers) answers.set(name, answer);
      transfers.length = saved.transfers;
      return results.map((answer) => (answer === 'posted' ? 'batch_refused' : answer));
    },

    hold: (key: number, index: number, amount: bigint, life_s: number): string =>
      once(`h${key}`, [index, amount, life_s], () => {
        const account = at(index);
        if (available(account) < amount) return 'insufficient_funds';
        account.held += amount;
        holds.push({
          account: index,
          remaining: amount,
          state: 'open',
          expiresAt: life_s === 0 ? undefined : now + life_s * 1000,
        });
        return 'done';
      }),

    settle: (key: number, index: number, asked: bigint | undefined, releaseRest: boolean): string =>
      once(`s${key}`, [index, asked, releaseRest], () => {
        const hold = holds[index];
        if (!hold) return 'not_found';
        const code = checkOpen(hold);
        if (code) return code;
        const amount = asked ?? hold.remaining;
        if (amount > hold.remaining) return 'hold_too_small';
        at(hold.account).held -= amount;
        hold.remaining -= amount;
        // A settled part goes to the last account, that of the house; it is not among the transfers
        // that are reversed here.
        at(hold.account).balance -= amount;
        at(accounts.length - 1).balance += amount;
        if (hold.remaining === 0n) hold.state = 'settled';
        else if (releaseRest) release(hold, 'cancelled');
        return 'done';
      }),

    cancel: (key: number, index: number): string =>
      once(`c${key}`, [index], () => {
        const hold = holds[index];
        if (!hold) return 'not_found';
        const code = checkOpen(hold);
        if (code) return code;
        release(hold, 'cancelled');
        return 'done';
      }),

    reverse: (key: number, index: number): string => {
      const done = transfers[index];
      if (!done) return 'not_found';
      if (done.isReversal) return 'not_reversible';
      return once(`r${key}`, [index], () => {
        if (done.isReversed) return 'already_reversed';
        done.isReversed = true;
        transfer(done.to, done.from, done.amount, true);
        return 'posted';
      });
    },

    wait(seconds: number): void {
      now += seconds * 1000;
      for (const hold of holds) {
        if (hold.state === 'open' && hold.expiresAt !== undefined && hold.expiresAt <= now)
          release(hold, 'expired');
      }
    },
  };
}
