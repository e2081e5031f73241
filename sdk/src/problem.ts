/** Refusals of the service, as errors with a stable code. */

/** A problem document (RFC 9457), or the error of an OAuth endpoint brought into the same shape. */
export interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly request_id?: string;
  /** Why a token was revoked. */
  readonly reason?: string;
  readonly errors?: readonly {
    readonly field: string;
    readonly code: string;
    readonly message: string;
  }[];
}

/** A refusal. `code` never changes its meaning; `message` is for people. */
export class EdgeError extends Error {
  readonly problem: ProblemDocument;
  readonly retryAfter_s: number | undefined;
  constructor(problem: ProblemDocument, retryAfter_s?: number, cause?: unknown) {
    super(problem.detail ?? problem.title ?? problem.code, { cause });
    this.name = 'EdgeError';
    this.problem = problem;
    this.retryAfter_s = retryAfter_s;
  }
  get code(): string {
    return this.problem.code;
  }
  get status(): number {
    return this.problem.status;
  }
  /** Why, in words and without a full stop. The reason of a cut is words; any other is a code. */
  get words(): string {
    const { reason } = this.problem;
    return reason?.includes(' ') ? reason : this.message.replace(/\.$/, '');
  }
}

interface OAuthError {
  readonly error?: string;
  readonly error_description?: string;
}

/** Reads the refusal out of an answer. */
export async function readProblem(response: Response): Promise<EdgeError> {
  const body = ((await response.json().catch(() => undefined)) ?? {}) as Partial<ProblemDocument> &
    OAuthError;
  const retryAfter_s = Number(response.headers.get('retry-after') ?? Number.NaN);
  const code = body.code ?? body.error ?? (response.status >= 500 ? 'unavailable' : 'refused');
  const isSilent = body.code === undefined && body.error === undefined && body.title === undefined;
  const detail =
    body.detail ??
    body.error_description ??
    (isSilent ? `The service answered ${response.status}, and not why.` : undefined);
  const problem = {
    ...body,
    status: response.status,
    code,
    ...(detail !== undefined && { detail }),
  };
  return new EdgeError(problem, Number.isFinite(retryAfter_s) ? retryAfter_s : undefined);
}

/** The service could not be reached at all. */
export function unreachable(cause: unknown): EdgeError {
  return new EdgeError(
    { status: 0, code: 'unreachable', detail: 'The service cannot be reached.' },
    undefined,
    cause,
  );
}

/** A page is no answer of the service: something on the way gave it, such as the portal of a network. @throws EdgeError */
export function rejectHtml(response: Response): void {
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return;
  throw new EdgeError({
    status: 0,
    code: 'unreachable',
    detail: 'A page answered instead of the service: is there a sign-in to the network?',
  });
}
