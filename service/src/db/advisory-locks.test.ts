import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { readMigrations } from './migrations.ts';

const SOURCE = new URL('../', import.meta.url).pathname;
const TAKES_LOCK = /pg_(try_)?advisory|hashtextextended/;

test('each number is used once', () => {
  const numbers = Object.values(ADVISORY_LOCKS).map((lock) =>
    'key' in lock ? lock.key : lock.seed,
  );
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('only advisory-locks.ts takes advisory locks', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => TAKES_LOCK.test(readFileSync(join(SOURCE, path), 'utf8')))).toEqual(
    ['db/advisory-locks.ts'],
  );
});

test('in SQL files only the lock of a user is taken, by person_lock()', () => {
  const statements = readMigrations()
    .flatMap(({ files }) => files)
    .flatMap(({ sql }) => sql.replaceAll(/--.*$/gm, '').split('\n'))
    .filter((line) => TAKES_LOCK.test(line));
  expect(statements).toEqual([
    expect.stringContaining(
      `hashtextextended('person ' || of_user, ${ADVISORY_LOCKS.person.seed})`,
    ),
    // In wait_for_endings, and in wait_for_revocations, which replaces it.
    expect.stringContaining('pg_advisory_xact_lock_shared(person_lock(of_user))'),
    expect.stringContaining('pg_advisory_xact_lock_shared(person_lock(of_user))'),
  ]);
});

test.each(ENGINES)('the key of a user is the hash of a name, on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { rows } = await database.query(
    "select person_lock(42) = hashtextextended('person 42', $1) as same",
    [ADVISORY_LOCKS.person.seed],
  );
  expect(rows).toEqual([{ same: true }]);
  await database.close();
});
