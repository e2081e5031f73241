/** Refusals of the service, as errors with a stable code. */
import type { components } from './generated/api.ts';

/** What is wrong with one field of a request. */
export type FieldProblem = NonNullable<components['schemas']['Problem']['errors']>[number];

/** A problem document (RFC 9457), or the error of an OAuth endpoint in the same form. */
export interface ProblemDocument {
  readonly status: number;
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly request_id?: string;
  /** Why a token was revoked. */
  readonly reason?: string;
  /** Attempts that are left for a code. */
  readonly tries_left?: number;
  /** Of `challenge_required`: who can solve the challenge. */
  readonly challenge_type?: 'proof_of_work' | 'turnstile' | 'hcaptcha';
  /** A challenge of ALTCHA, or the `site_key` of a widget. */
  readonly challenge?: Readonly<Record<string, unknown>>;
  /** Currencies whose balance is not zero. */
  readonly currencies?: readonly string[];
  /** Those of them whose balance is negative. */
  readonly owed_currencies?: readonly string[];
  readonly errors?: readonly FieldProblem[];
}

/** A refusal. `code` is stable; `message` is for people. */
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
  /** The message without a full stop. */
  get words(): string {
    return this.message.replace(/\.$/, '');
  }
  /** What is wrong with one field, if the refusal names it. */
  fieldProblem(field: string): FieldProblem | undefined {
    return this.problem.errors?.find((entry) => entry.field === field);
  }
}

interface OAuthError {
  readonly error?: string;
  readonly error_description?: string;
}

/** Reads the problem out of a response. */
export async function readProblem(response: Response): Promise<EdgeError> {
  const body = ((await response.json().catch(() => undefined)) ?? {}) as Partial<ProblemDocument> &
    OAuthError;
  const retryAfter_s = Number(response.headers.get('retry-after') ?? Number.NaN);
  const code = body.code ?? body.error ?? (response.status >= 500 ? 'unavailable' : 'refused');
  const isUnexplained =
    body.code === undefined && body.error === undefined && body.title === undefined;
  const detail =
    body.detail ??
    body.error_description ??
    (isUnexplained ? `The service answered ${response.status} without a reason.` : undefined);
  const problem = {
    ...body,
    status: response.status,
    code,
    ...(detail !== undefined && { detail }),
  };
  return new EdgeError(problem, Number.isFinite(retryAfter_s) ? retryAfter_s : undefined);
}

/** No response, or an incomplete one. */
export function unreachable(cause: unknown): EdgeError {
  return new EdgeError(
    { status: 0, code: 'unreachable', detail: 'The service cannot be reached.' },
    undefined,
    cause,
  );
}

/**
 * Rejects a successful HTML page: it comes from a proxy such as the captive portal of a network.
 * @throws EdgeError
 */
export function rejectHtml(response: Response): void {
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return;
  throw new EdgeError({
    status: 0,
    code: 'unreachable',
    detail: 'A web page answered instead of the service. Does the network require a sign-in?',
  });
}
