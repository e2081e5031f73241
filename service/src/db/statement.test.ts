import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defineStatement, execute, executeUnprepared, queryNamed } from './statement.ts';
import type { Db } from './types.ts';

test('names become numbers; casts and times are no names; a repeated name has one number', () => {
  const statement = defineStatement('one', "select :b::int, :a, ':x10:30', :b where a = :a_2");
  expect(statement).toEqual({
    name: 'one',
    text: "select $1::int, $2, '$3:30', $1 where a = $4",
    parameters: ['b', 'a', 'x10', 'a_2'],
  });
});

test('values are ordered by their numbers; a missing one is an error', async () => {
  const calls: unknown[] = [];
  const db = {
    prepared: async (...call: unknown[]) => {
      calls.push(call);
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Db;
  const statement = defineStatement('two', 'select :b, :a');
  await execute(db, statement, { a: 1, b: null });
  expect(calls).toEqual([['two', 'select $1, $2', [null, 1]]]);
  expect(() => execute(db, statement, { a: 1 })).toThrow('two: :b has no value');
});

test('a statement that is not prepared gets the same values', async () => {
  const calls: unknown[] = [];
  const db = {
    query: async (...call: unknown[]) => {
      calls.push(call);
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Db;
  const statement = defineStatement('three', 'select :b, :a');
  await executeUnprepared(db, statement, { a: 1, b: null });
  expect(calls).toEqual([['select $1, $2', [null, 1]]]);
  expect(() => executeUnprepared(db, statement, { a: 1 })).toThrow('three: :b has no value');
});

test('a text with names runs without a plan; a missing value is an error', async () => {
  const calls: unknown[] = [];
  const db = {
    query: async (...call: unknown[]) => {
      calls.push(call);
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Db;
  await queryNamed(db, 'select :b, :a, :b', { a: 1, b: 2 });
  await queryNamed(db, 'select :b, :a, :b', { a: 3, b: null });
  expect(calls).toEqual([
    ['select $1, $2, $1', [2, 1]],
    ['select $1, $2, $1', [null, 3]],
  ]);
  expect(() => queryNamed(db, 'select :b, :a, :b', { a: 1 })).toThrow(':b has no value');
});

/** A prefix of bcrypt is no parameter. */
const NUMBERED = /(hashing\/imported-hash|import-export\/schemas)\.ts$/;

test('more than one parameter is named: no text has $2', () => {
  const root = new URL('../', import.meta.url).pathname;
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !NUMBERED.test(file),
  );
  expect(files.length).toBeGreaterThan(300);
  const numbered = files.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .filter((line) => /\$([2-9]|1\d)\b/.test(line) && !/^\s*(\/\*)?\*/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(numbered).toEqual([
    "db/advisory-locks.ts: const KEY_OF_NAME = 'hashtextextended($1, $2)';",
  ]);
});
