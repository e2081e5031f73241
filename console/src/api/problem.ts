/** What the service answers when it refuses: an RFC 9457 problem with a stable code. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly request_id?: string;
  readonly reason?: string;
  readonly tries_left?: number;
  /** Currencies in which more is in the account than nothing, or less. */
  readonly currencies?: readonly string[];
  /** Those of them in which money is owed. */
  readonly owed_currencies?: readonly string[];
  readonly errors?: readonly FieldProblem[];
}

/** A refused or failed call. `code` is the problem's stable code, or `network` when no answer came. */
export class ApiError extends Error {
  readonly problem: ProblemBody;
  readonly retryAfter_s: number | undefined;
  constructor(problem: ProblemBody, retryAfter_s?: number) {
    super(problem.detail ?? problem.title ?? problem.code);
    this.name = 'ApiError';
    this.problem = problem;
    this.retryAfter_s = retryAfter_s;
  }
  get code(): string {
    return this.problem.code;
  }
  get status(): number {
    return this.problem.status;
  }
  /** What is wrong with one field, if the refusal names it. */
  fieldProblem(field: string): FieldProblem | undefined {
    return this.problem.errors?.find((entry) => entry.field === field);
  }
}

/** True for a refusal with one of these codes. */
export function isProblem(error: unknown, ...codes: readonly string[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** True for a wrong code after which no other is taken: what it belongs to is used up. */
export function isLastTry(error: unknown): boolean {
  return isProblem(error, 'invalid_code') && error.problem.tries_left === 0;
}

/** True when it is not known whether what was asked for was done: no answer came, or one that says nothing about it. */
export function isUnsettled(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status >= 500 || error.code === 'idempotency_in_flight')
  );
}

/** True for what may go well at the next try, as it is: no answer came, or one that says "later". */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status >= 500 || error.code === 'rate_limited')
  );
}
