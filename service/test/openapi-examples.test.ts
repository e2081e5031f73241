/**
 * The examples of the OpenAPI document: each operation has one of its parameters, bodies and
 * answers; they match the schemas, and the running service takes each request. What the service
 * answers is compared with the schemas in every test (`support/documented-answers.ts`).
 */
import { globSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { closeSchema, type Schema } from './support/close-schema.ts';
import { openTestDatabase } from './support/databases.ts';
import {
  type DescribedOperation,
  findLackingExamples,
  listMedia,
  type Media,
  readOperations,
} from './support/documented-examples.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens } from './support/tokens.ts';

let database: Database;
let app: App;
let schemas: Record<string, Schema>;
let operations: DescribedOperation[];

beforeAll(async () => {
  database = await openTestDatabase('embedded');
  app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  const document = (await app.http.inject('/openapi.json')).json();
  operations = readOperations(document);
  schemas = Object.fromEntries(
    Object.entries(document.components.schemas as Record<string, Schema>).map(([name, schema]) => [
      `#/components/schemas/${name}`,
      schema,
    ]),
  );
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

test('every operation has examples of its parameters, its bodies and its answers', () => {
  expect(operations.flatMap(findLackingExamples)).toEqual([]);
  expect(operations.length).toBeGreaterThan(190);
});

test('an operation that lacks one is named', () => {
  const find = (id: string): DescribedOperation =>
    structuredClone(operations.find(({ operationId }) => operationId === id)) as never;
  const [reward, device, exchange] = [find('payReward'), find('getDevice'), find('exchangeToken')];
  for (const { media } of listMedia(reward)) delete media.example;
  delete device.parameters?.[0]?.example;
  delete exchange.responses['302']?.headers;
  expect([reward, device, exchange].flatMap(findLackingExamples)).toEqual([
    'payReward: body application/json',
    'payReward: 200 application/json',
    'getDevice: path node_id',
    'exchangeToken: 302 Location',
  ]);
});

test('every example matches its schema, and has no member that the schema lacks', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const faultOf = ({ schema = {}, example }: Media): string[] =>
    ajv.validate(closeSchema(schema, schemas), example) ? [] : [ajv.errorsText()];
  const faults = operations.flatMap((operation) =>
    listMedia(operation).flatMap(({ name, media }) =>
      faultOf(media).map((fault) => `${operation.operationId}: ${name}: ${fault}`),
    ),
  );
  expect(faults).toEqual([]);
});

interface Refusal {
  readonly code?: string;
  readonly error_description?: string;
  readonly errors?: readonly { readonly code: string }[];
}

/** Codes that say that a request has the wrong form, whatever the state. */
const WRONG_FORM: ReadonlySet<string> = new Set([
  'malformed_body',
  'malformed_request',
  'unsupported_media_type',
  'missing_token',
  'insufficient_scope',
  'wrong_token_kind',
  'invalid_scope',
]);

/** Codes of values that have the right form, and do not match the content of this database. */
const ABOUT_STATE: ReadonlySet<string> = new Set(['unknown', 'not_verified', 'not_allowed']);

const isWrongForm = ({ code = '', error_description = '', errors = [] }: Refusal): boolean =>
  WRONG_FORM.has(code) ||
  /missing required|unknown parameter|not valid JSON/.test(error_description) ||
  errors.some((each) => !ABOUT_STATE.has(each.code));

/** An operation's request with its examples, once for each media type of its body. */
function requestsOf({ path, parameters = [], requestBody }: DescribedOperation) {
  const examples = parameters.filter(({ example }) => example !== undefined);
  const url = examples
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({
    headers: { 'content-type': type } as Record<string, string>,
    payload: type.endsWith('json')
      ? JSON.stringify(example)
      : new URLSearchParams(example as Record<string, string>).toString(),
  }));
  const target = `${url}?${new URLSearchParams(query)}`;
  return (bodies.length === 0 ? [{ headers: {} }] : bodies).map((body) => ({
    url: target,
    ...body,
  }));
}

test('the running service accepts the request of every example', async () => {
  await app.start();
  const tokens = createTestTokens(database);
  const client = await tokens.operator(...OPERATOR_SCOPES);
  /** A token of the kind that the operation wants; several operations end the session. */
  async function tokenFor({ security, 'x-token-kinds': kinds }: DescribedOperation) {
    const userId = await insertUser(database);
    const isOperator = (security[0]?.oauth2 ?? []).some((scope) => scope.startsWith('operator:'));
    if (isOperator && kinds?.includes('operator') !== false) return client;
    const login = await tokens.login(userId);
    if (!isOperator)
      return kinds?.includes('business') === false ? login.deviceToken : login.accessToken;
    return tokens.person(userId, { scopes: OPERATOR_SCOPES, authTime: new Date() });
  }
  const faults: string[] = [];
  let taken = 0;
  // A stream has no end; it has tests of its own.
  for (const operation of operations.filter(({ operationId }) => operationId !== 'streamEvents')) {
    for (const { headers, ...request } of requestsOf(operation)) {
      const token = operation.security.length > 0 ? await tokenFor(operation) : undefined;
      const answer = await app.http.inject({
        ...{ method: operation.method, ...request },
        headers: {
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          'idempotency-key': operation.operationId,
        },
      });
      if (answer.statusCode < 400) taken++;
      else if (
        String(answer.headers['content-type']).includes('json') &&
        isWrongForm(answer.json())
      )
        faults.push(`${operation.operationId}: ${answer.statusCode} ${answer.body}`);
    }
  }
  expect(faults).toEqual([]);
  // The others name rows that an empty service lacks.
  expect(taken).toBeGreaterThan(90);
});

test('every operation that a guide names is documented', () => {
  const names = new Set(
    operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  );
  const guides = globSync(new URL('../../docs/guides/*.md', import.meta.url).pathname);
  const named = guides.flatMap((guide) =>
    [...readFileSync(guide, 'utf8').matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^\s`?]*)/g)].map(
      ([, name = '']) => name.replaceAll(/\{\w+\}/g, '{}'),
    ),
  );
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});
