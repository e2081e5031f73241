/** The problem responses of the document: one for each set of codes, under a name of its own. */
import { FAILURES, type FailureCode } from '../../lib/failures.ts';
import { httpStatusOf } from '../problems.ts';
import type { OAuthErrors } from './describe-operations.ts';

function exampleOf(code: FailureCode): object {
  const { title } = FAILURES[code];
  return {
    summary: title,
    value: {
      type: `urn:edge-account:problem:${code}`,
      title,
      status: httpStatusOf(code),
      detail: title,
      code,
      request_id: '0192f0c1-7d1e-7cc3-98c4-dc0c0c07398f',
    },
  };
}

/** An example for each of these codes, which responses refer to. */
export function describeExamples(codes: ReadonlySet<FailureCode>): Record<string, object> {
  return Object.fromEntries([...codes].sort().map((code) => [code, exampleOf(code)]));
}

function refineSchema(name: string, property: string, codes: readonly string[]): object {
  const properties = { [property]: { type: 'string', enum: codes } };
  return { allOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'object', properties }] };
}

const quoted = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ');

/** A response under the name that operations refer to it by. */
export interface NamedResponse {
  readonly status: string;
  readonly name: string;
  readonly response: object;
}

/** The responses by status; each enumerates its codes. */
export function describeProblems(codes: readonly FailureCode[]): NamedResponse[] {
  const byStatus = Object.groupBy(codes, (code) => String(httpStatusOf(code)));
  return Object.entries(byStatus).map(([status, same = []]) => ({
    status,
    name: same.join('.'),
    response: {
      description: `Problem (RFC 9457): ${quoted(same)}.`,
      content: {
        'application/problem+json': {
          schema: refineSchema('Problem', 'code', same),
          examples: Object.fromEntries(
            same.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    },
  }));
}

/** The same for endpoints that answer in the shape of RFC 6749. */
export function describeOAuthErrors(errors: OAuthErrors): NamedResponse[] {
  return Object.entries(errors).map(([status, codes]) => ({
    status,
    name: `oauth-${status}.${codes.join('.')}`,
    response: {
      description: `Error (RFC 6749, 5.2): ${quoted(codes)}.`,
      content: {
        'application/json': {
          schema: refineSchema('OAuthProblem', 'error', codes),
          example: { error: codes[0] },
        },
      },
    },
  }));
}
