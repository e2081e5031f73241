/**
 * Which files have SQL that may bring users of different cells together, found by its text: by the
 * columns and tables that are not of one user. What joins by the ids of one user, or by those that
 * the caller gave, stays in a cell.
 */
import { globSync, readFileSync } from 'node:fs';
import { TABLES } from './placement.ts';

const SOURCES = new URL('../../src/', import.meta.url);
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g;

/** Another user is named by the row: a condition on, or a column of an alias. */
const OTHER_USER =
  /\b(?:where|and|or|on|by)\s+(?:\w+\.)?refer(?:rer|ee)_id\b|(?<![\w.])\w\.refer(?:rer|ee)_id\b/;
/** Users are compared by where they are, or by their keys. */
const SAME_IDENTITY = new RegExp(
  [
    String.raw`\b(?:partition|group) by (?:\w+\.)?(?:registered_address|address|key)\b`,
    String.raw`\b(?:where|and|or) (?:\w+\.)?(?:(?:registered_)?address|key_thumbprint) (?:=|in)\s`,
  ].join('|'),
);
const TABLE = /\b(?:from|join|into|update|using)\s+([a-z][a-z_]*)/g;

const APART = new Set<string>([...TABLES.community, ...TABLES.directory]);
const IN_CELLS = new Set<string>([...TABLES.user, ...TABLES.cell]);

/** @param source a module of TypeScript with SQL */
export function mayCross(source: string): boolean {
  const code = source.replaceAll(COMMENT, '');
  const tables = [...code.matchAll(TABLE)].map(([, name = '']) => name);
  const readsBoth =
    tables.some((name) => APART.has(name)) && tables.some((name) => IN_CELLS.has(name));
  return readsBoth || OTHER_USER.test(code) || SAME_IDENTITY.test(code);
}

/** Files below `service/src`. */
export function findCrossingFiles(): string[] {
  return globSync('**/*.ts', { cwd: SOURCES.pathname })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => mayCross(readFileSync(new URL(file, SOURCES), 'utf8')))
    .sort();
}
