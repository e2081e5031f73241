/**
 * Loaded before each test file: an answer that the OpenAPI document lacks fails the test that saw
 * it. Problems are compared by code, other answers by status, media type and schema; a member that
 * the schema does not name is a difference too.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyRequest } from 'fastify';
import { afterEach, expect } from 'vitest';
import { documentedFailures } from '../../src/http/openapi/documented-failures.ts';
import { closeSchema, type Schema } from './close-schema.ts';
import { type ObservedAnswer, observeAnswers } from './observe-answers.ts';

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

const PROBLEM = 'application/problem+json';
const registry = Symbol.for('edge-account.undocumented-answers');
const shared = globalThis as { [registry]?: Set<string> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const compiled = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: Schema, { server }: FastifyRequest): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(closeSchema(schema, server.getSchemas()));
  compiled.set(schema, validate);
  return validate;
}

function findUndocumentedProblem({ request, text }: ObservedAnswer): string | undefined {
  const { schema, config, method } = request.routeOptions;
  const { code } = JSON.parse(text) as { code: never };
  const isKnown = documentedFailures({
    schema: schema ?? {},
    config,
    method: method as string,
  }).includes(code);
  return isKnown ? undefined : code;
}

/** What the document lacks about an answer. */
function findFault(answer: ObservedAnswer): string | undefined {
  const { request, status, mediaType, location, text } = answer;
  if (mediaType === PROBLEM) return findUndocumentedProblem(answer);
  if (status >= 400 || status === 304) return undefined;
  const responses = (request.routeOptions.schema?.response ?? {}) as Record<string, Described>;
  const described = responses[status];
  if (described === undefined) return `status ${status}`;
  if (text === '' || location !== undefined) return undefined;
  const { content = { 'application/json': { schema: described as Schema } } } = described;
  const media = content[mediaType];
  if (media === undefined) return `${status} ${mediaType}`;
  if (!mediaType.endsWith('json') || media.schema === undefined) return undefined;
  const validate = validatorOf(media.schema, request);
  return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)}: ${text}`;
}

/** Workers keep their modules from file to file, and each Fastify instance reports once. */
function watch(): Set<string> {
  const undocumented = new Set<string>();
  observeAnswers((answer) => {
    const { method, url } = answer.request.routeOptions;
    const fault = findFault(answer);
    if (fault !== undefined) undocumented.add(`${String(method)} ${url}: ${fault}`);
  });
  return undocumented;
}

shared[registry] ??= watch();
const undocumented = shared[registry];

afterEach(() => {
  const found = [...undocumented];
  undocumented.clear();
  expect(found, 'answers that the OpenAPI document lacks').toEqual([]);
});
