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
import { closeSchema, type Schema } from './support/close-schema.ts';
import { openTestDatabase } from './support/databases.ts';
import {
  type DescribedOperation,
  findLackingExamples,
  listMedia,
  type Media,
  readOperations,
} from './support/documented-examples.ts';
import { requestsOf, tokenFor } from './support/example-requests.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
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

test('the running service accepts the request of every example', async () => {
  await app.start();
  const tokens = createTestTokens(database);
  const faults: string[] = [];
  let taken = 0;
  // A stream has no end; it has tests of its own.
  for (const operation of operations.filter(({ operationId }) => operationId !== 'streamEvents')) {
    for (const { headers, ...request } of requestsOf(operation)) {
      const isGuarded = operation.security.length > 0;
      const token = isGuarded ? await tokenFor(database, tokens, operation) : undefined;
      const answer = await app.http.inject({
        ...request,
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
