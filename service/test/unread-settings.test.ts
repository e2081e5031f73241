/**
 * Each setting is read by the service. The sources are searched for its name as a property that is
 * read or destructured: a read whose result is then dropped is not found.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigSchema } from '../src/config-schema.ts';

const SOURCE = new URL('../src/', import.meta.url).pathname;
/** Files that declare and validate settings: what they name is not yet used. */
const DECLARING = new Set([
  'config.ts',
  'config-schema.ts',
  'abuse-settings.ts',
  'database-settings.ts',
]);
/** Settings that `readConfig` turns into a property of another name. */
const DERIVED: Readonly<Record<string, string>> = {
  ROLES: 'roles',
  TRUSTED_PROXIES: 'trustedProxies',
};

/** Without comments and texts, which name settings that they do not read. */
const dropTexts = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/'[^'\n]*'/g, "''");

const PROGRAM = globSync('**/*.ts', { cwd: SOURCE })
  .filter((file) => !file.endsWith('.test.ts') && !DECLARING.has(file))
  .map((file) => dropTexts(readFileSync(join(SOURCE, file), 'utf8')))
  .join('\n');

/** `config.NAME`, or `NAME` in the braces of a pattern: `{ NAME }`, `{ NAME: name }`. */
const isRead = (name: string): boolean =>
  new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[:,}]`).test(PROGRAM);

test('every setting is read', () => {
  const names = Object.keys(ConfigSchema.properties);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !isRead(DERIVED[name] ?? name))).toEqual([]);
});

test('a setting that is only declared is found', () => {
  expect(isRead('LATER_SETTING_TTL')).toBe(false);
});
