/**
 * `npm run examples`: runs tests of the service, records what its routes receive and answer, and
 * writes one example of each operation to `service/src/http/openapi/examples.json`. With paths of
 * tests as arguments it runs these only, and keeps the examples of operations that they do not
 * call.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Example } from '../service/src/http/openapi/add-examples.ts';
import type { RecordedExchange } from '../service/test/support/record-examples.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const TARGET = join(ROOT, 'service/src/http/openapi/examples.json');
const EXAMPLE_MAX = 3000;
const ITEMS_MAX = 2;
const LINES_MAX = 8;

/** Keeps digits that a double would lose: such an amount is shown as a string. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  return context?.source === undefined || String(value) === context.source ? value : context.source;
}

const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const PUBLIC_ORIGIN = 'https://account.example.com';
const ORIGIN = /http:\/\/(localhost|127\.0\.0\.1)(:\d+)?/g;
const ENCODED_ORIGIN = /http%3A%2F%2F(localhost|127\.0\.0\.1)(%3A\d+)?/g;

/** Networks of tests. */
const NETWORK = /\b(TESTNET|LOCALNET)\b/g;

const simplifyText = (text: string): string =>
  text
    .replaceAll(NETWORK, 'ETHEREUM')
    .replaceAll(TOKEN, 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl')
    .replaceAll(ORIGIN, PUBLIC_ORIGIN)
    .replaceAll(ENCODED_ORIGIN, encodeURIComponent(PUBLIC_ORIGIN));

/** A value without tokens, ports and long lists. */
function simplify(value: unknown): unknown {
  if (typeof value === 'string') return simplifyText(value);
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(simplify);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, simplify(member)]));
}

const firstLines = (text: string): string =>
  text
    .split(/(?<=\n)/)
    .slice(0, LINES_MAX)
    .join('');

function readAnswer({ answerType, answer, location }: RecordedExchange): unknown {
  if (location !== undefined) return { location: simplifyText(location) };
  if (answerType.endsWith('json')) return simplify(JSON.parse(answer, keepDigits));
  return answerType.startsWith('text/') ? simplifyText(firstLines(answer)) : null;
}

function toExample(exchange: RecordedExchange): Example {
  const { params, query, bodyType, body, status, answerType } = exchange;
  const type = exchange.location === undefined ? answerType : '';
  return {
    params: simplify(params) as Example['params'],
    query: simplify(query) as Example['query'],
    bodies: body === undefined ? {} : { [bodyType]: simplify(body) },
    answers: { [`${status} ${type}`.trim()]: readAnswer(exchange) },
  };
}

/** Tests send strange texts and use currencies of their own; an example is plain. */
const isPlain = (text: string): boolean =>
  /^[\x20-\x7e]*$/.test(text) && !/(.)\1{15}|"(NEW\d+|REGTEST)"/.test(text);

/** How much an example shows; less than nothing if it is strange or long. */
function weigh(example: Example): number {
  const { bodies, query, answers } = example;
  const text = JSON.stringify(example);
  const bodyFields = Object.values(bodies).flatMap((body) => Object.keys(body ?? {}));
  const fields = bodyFields.length + Object.keys(query).length;
  const shown = fields * 1000 + Math.min(JSON.stringify(answers).length, 999);
  return isPlain(text) && text.length <= EXAMPLE_MAX ? shown : -text.length;
}

/** Adds the bodies and answers of `other` that `example` lacks. */
const fillFrom = (example: Example, other: Example): Example => ({
  ...example,
  bodies: { ...other.bodies, ...example.bodies },
  answers: { ...other.answers, ...example.answers },
});

/** Of each operation what shows most, for each kind of body and answer, in the order of ids. */
export function chooseExamples(lines: readonly string[]): Record<string, Example> {
  const examples = lines.map((line) => {
    const exchange = JSON.parse(line) as RecordedExchange;
    const example = toExample(exchange);
    return { id: exchange.operationId, example, weight: weigh(example) };
  });
  examples.sort((a, b) => b.weight - a.weight);
  const chosen = new Map<string, Example>();
  for (const { id, example } of examples) {
    const known = chosen.get(id);
    chosen.set(id, known === undefined ? example : fillFrom(known, example));
  }
  return Object.fromEntries([...chosen].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function record(paths: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-examples-'));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, EXAMPLES: folder, TEST_FILES: 'all' };
  spawnSync(process.execPath, [vitest, 'run', ...paths], { stdio: 'inherit', env });
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  rmSync(folder, { recursive: true });
  return lines;
}

if (import.meta.main) {
  const paths = process.argv.slice(2);
  const known = paths.length === 0 ? {} : JSON.parse(readFileSync(TARGET, 'utf8'));
  const recorded = chooseExamples(record(paths.length === 0 ? ['service/'] : paths));
  const examples = Object.entries({ ...known, ...recorded }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(TARGET, `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`);
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  spawnSync(process.execPath, [biome, 'format', '--write', TARGET], { stdio: 'inherit' });
}
