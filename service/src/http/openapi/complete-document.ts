/** What the document says beyond the schemas of the routes. */
import { FAILURES, type FailureCode } from '../../lib/failures.ts';
import { DECIMAL_PATTERN } from '../../lib/money.ts';
import { httpStatusOf } from '../problems.ts';
import { addExamples } from './add-examples.ts';
import type { OAuthErrors } from './describe-operations.ts';
import { describeExamples, describeOAuthErrors, describeProblems } from './problem-responses.ts';

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  schema?: object;
}

interface Media {
  schema?: object;
  example?: unknown;
}

/** An operation with what `describeRoute` adds to its schema. */
export interface DraftOperation {
  operationId?: string;
  responses: Record<string, { content?: Record<string, Media> }>;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  'x-failures'?: readonly FailureCode[];
  'x-oauth-errors'?: OAuthErrors;
}

interface DraftDocument {
  readonly paths?: Record<string, Record<string, DraftOperation>>;
  components?: { schemas?: Record<string, object>; [part: string]: object | undefined };
}

/** A body that may be left out is documented as an object that is not required. */
function completeBody(body: NonNullable<DraftOperation['requestBody']>): void {
  body.required = true;
  for (const media of Object.values(body.content)) {
    const { type } = (media.schema ?? {}) as { type?: unknown };
    if (!Array.isArray(type) || !type.includes('null')) continue;
    body.required = false;
    media.schema = { ...media.schema, type: 'object' };
  }
}

const OTHER_PROBLEM = {
  description: 'Any other problem (RFC 9457), for example of a proxy.',
  content: {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
};

/** What operations refer to. */
interface Shared {
  readonly responses: Map<string, object>;
  readonly codes: Set<FailureCode>;
}

function addProblems(operation: DraftOperation, shared: Shared): void {
  const { 'x-failures': failures = [], 'x-oauth-errors': oauthErrors = {} } = operation;
  for (const code of failures) shared.codes.add(code);
  const named = [...describeProblems(failures), ...describeOAuthErrors(oauthErrors)];
  for (const { name, response } of named) shared.responses.set(name, response);
  const references = named.map(({ status, name }) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  operation.responses = {
    ...operation.responses,
    ...Object.fromEntries(references),
    default: OTHER_PROBLEM,
  };
  delete operation['x-failures'];
  delete operation['x-oauth-errors'];
}

/** Declared wherever an answer has amounts. */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    '`amounts=string` (RFC 7240): amounts of the answer as JSON strings, for parsers that round ' +
    'numbers. `Preference-Applied` confirms it.',
};

const DECIMAL = '"format":"decimal"';

/** What stands in a response that has amounts: the format, or the name of a schema with it. */
function findAmountMarks({ schemas = {} }: { schemas?: Record<string, object> }): string[] {
  const names = Object.entries(schemas).flatMap(([name, schema]) =>
    JSON.stringify(schema).includes(DECIMAL) ? [name] : [],
  );
  return [DECIMAL, ...names.map((name) => `"#/components/schemas/${name}"`)];
}

/** Headers as standards write them. */
const HEADER_NAMES: Readonly<Record<string, string>> = {
  'idempotency-key': 'Idempotency-Key',
  'last-event-id': 'Last-Event-ID',
  'challenge-solution': 'Challenge-Solution',
  'if-match': 'If-Match',
};

function completeOperation(operation: DraftOperation, amountMarks: readonly string[]): void {
  const responses = JSON.stringify(operation.responses);
  if (amountMarks.some((mark) => responses.includes(mark)))
    operation.parameters = [...(operation.parameters ?? []), PREFER];
  for (const parameter of operation.parameters ?? []) {
    parameter.name = HEADER_NAMES[parameter.name ?? ''] ?? parameter.name;
    if (parameter.name === 'Idempotency-Key') parameter.required = true;
  }
  if (operation.requestBody) completeBody(operation.requestBody);
}

/** Of the operations; a path of the document has other members, too. */
export const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Rewrites schemas of values that arrive in another form than they are validated in. */
function asSent(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Callers may send amounts as numbers too: the parser keeps their tokens as text.
  if ('pattern' in value && value.pattern === DECIMAL_PATTERN)
    return { ...value, type: ['string', 'number'] };
  if ('format' in value && value.format === 'path-id')
    return { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  return value;
}

/** The whole document, from the one that was made of the routes' schemas. */
export function completeDocument<T extends object>(draft: T): T {
  const document = draft as T & DraftDocument;
  const amountMarks = findAmountMarks(document.components ?? {});
  const shared: Shared = { responses: new Map(), codes: new Set() };
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(path)) {
      if (!METHODS.has(method)) continue;
      completeOperation(operation, amountMarks);
      addExamples(operation);
      addProblems(operation, shared);
    }
  }
  const codes = Object.entries(FAILURES).map(([code, { title }]) => [
    code,
    { status: httpStatusOf(code as FailureCode), title },
  ]);
  document.components = {
    ...document.components,
    responses: Object.fromEntries([...shared.responses].sort(([a], [b]) => (a < b ? -1 : 1))),
    examples: describeExamples(shared.codes),
  };
  const text = JSON.stringify(document, asSent);
  return { ...JSON.parse(text), 'x-failure-codes': Object.fromEntries(codes) };
}
