/** What a check of the ledger finds. */
export interface Finding {
  /** What was checked. */
  readonly check:
    | 'keys'
    | 'chain'
    | 'entries'
    | 'balances'
    | 'holds'
    | 'sum'
    | 'roll-ups'
    | 'heads'
    | 'names'
    | 'verifications';
  /** The row, for example `transfer 17` or `entry 42/3`. */
  readonly row: string;
  readonly detail: string;
}

export interface Findings {
  add(check: Finding['check'], row: string, detail: string): void;
  readonly all: readonly Finding[];
  /** No more are kept: more need not be searched for. */
  isFull(): boolean;
}

/** More would only repeat: one changed row echoes through every balance after it. */
const KEPT_MAX = 100;

export function createFindings(): Findings {
  const all: Finding[] = [];
  return {
    all,
    isFull: () => all.length >= KEPT_MAX,
    add(check, row, detail) {
      if (all.length < KEPT_MAX) all.push({ check, row, detail });
    },
  };
}

/** An entry that is missing, or differs from its transfer. */
export interface WrongEntry {
  readonly row: string;
  readonly detail: string;
  readonly isMissing: boolean;
}
