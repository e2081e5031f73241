/** Every problem code that a route can answer: what follows from its declaration, and its own. */
import type { RouteOptions } from 'fastify';
import { FAILURES, type FailureCode } from '../../lib/failures.ts';
import type { Access } from '../auth-guard.ts';

const BEHIND: readonly FailureCode[] = ['unavailable', 'internal_error'];
const GUARD: readonly FailureCode[] = [
  'missing_token',
  'invalid_token',
  'token_revoked',
  'wrong_token_kind',
  // The feed of revocations is interrupted.
  'unavailable',
];
const BODY: readonly FailureCode[] = [
  'invalid_parameter',
  'malformed_body',
  'body_too_large',
  'unsupported_media_type',
];
const KEY: readonly FailureCode[] = ['idempotency_key_required'];
const KEPT_KEY: readonly FailureCode[] = ['idempotency_key_reused', 'idempotency_in_flight'];

type Declaration = Pick<RouteOptions, 'schema' | 'method'> & {
  readonly config?: RouteOptions['config'];
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers from memory, or tells what failed by a problem of its own. */
    handlesFailures?: boolean;
    /** The key of the request names what a later request does: no answer is kept under it. */
    keepsNoAnswer?: boolean;
  }
}

/** What the guard of a route answers. */
function guardCodes(access: Access | undefined): readonly FailureCode[] {
  if (access === undefined || access === 'open') return [];
  const codes = access.answersInOutage ? GUARD.filter((code) => code !== 'unavailable') : GUARD;
  return access.scopes.length > 0 ? [...codes, 'insufficient_scope'] : codes;
}

/** The codes in the order of the table of failures. */
export function documentedFailures({ schema = {}, config, method }: Declaration): FailureCode[] {
  const { access, roles, handlesFailures, keepsNoAnswer } = config ?? {};
  // Protocol endpoints answer problems only before a request reaches them.
  if (schema.oauthErrors) return ['misdirected_request'];
  const headers = schema.headers as { properties?: object } | undefined;
  const hasKey = 'idempotency-key' in (headers?.properties ?? {});
  const codes = new Set<FailureCode>([
    'malformed_request',
    ...(handlesFailures ? [] : BEHIND),
    ...(roles === 'every' ? [] : (['misdirected_request'] as const)),
    ...guardCodes(access),
    ...(method === 'GET' ? [] : BODY),
    ...(schema.querystring || headers ? (['invalid_parameter'] as const) : []),
    ...(schema.params ? (['not_found'] as const) : []),
    ...(hasKey ? KEY : []),
    ...(hasKey && !keepsNoAnswer ? KEPT_KEY : []),
    ...(schema.failures ?? []),
  ]);
  return (Object.keys(FAILURES) as FailureCode[]).filter((code) => codes.has(code));
}
