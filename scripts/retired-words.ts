/**
 * Words that texts of this project no longer use, with what to write instead. Spelling is checked by cspell, on the same
 * files (`files` of cspell.json). Folders that are still to be mended are listed here; none may be in neither list.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;

interface RetiredWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

const RETIRED: readonly RetiredWord[] = [
  { pattern: /\bnobody\b/gi, instead: 'a noun: no user, no caller, no instance' },
  { pattern: /\bsomebody\b/gi, instead: 'a noun: another user, an attacker, another transaction' },
  { pattern: /\b(whoever|whomever)\b/gi, instead: 'a noun: a caller that …' },
  { pattern: /\beverybody\b/gi, instead: 'all users, all callers' },
  { pattern: /\bmanieth\b/gi, instead: 'nth' },
  { pattern: /\b(is|are|was|were) told\b/gi, instead: 'receives, gets, reads' },
  { pattern: /\b(what|which|it|who) says (so|who)\b/gi, instead: 'states, names' },
  { pattern: /\bin (its|their|our|his|her|a person's) (own )?words\b/gi, instead: 'as text' },
  { pattern: /\bwaits? in (a )?circles?\b/gi, instead: 'deadlock' },
  {
    pattern: /\bit may be the case\b|\bwhatever (else )?it may be\b/gi,
    instead: 'any other value',
  },
];

/** Not covered yet, by folder; a folder that passes moves to `files` of cspell.json. */
export const TO_COME: readonly string[] = [
  'docs/adr',
  'bench',
  'console',
  'extension',
  'scripts',
  'sdk',
  'service/migrations',
  'service/src/commands',
  'service/src/community',
  'service/src/dashboard',
  'service/src/db',
  'service/src/deposits',
  'service/src/devices',
  'service/src/events',
  'service/src/http',
  'service/src/identity',
  'service/src/jobs',
  'service/src/lib',
  'service/src/mail',
  'service/src/oidc',
  'service/src/operator',
  'service/src/rewards',
  'service/src/wallets',
  'service/test',
  'terminal',
];

export interface Finding {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Code and quoted titles of tests are not the page's own words. */
const dropQuotes = (line: string): string =>
  line.replaceAll(/`[^`]*`/g, '').replaceAll(/"[^"]*"/g, '');

/** Retired words of a text. */
export function findRetiredWords(text: string, isMarkdown: boolean): Finding[] {
  return text.split('\n').flatMap((line, i) => {
    const checked = isMarkdown ? dropQuotes(line) : line;
    return RETIRED.flatMap(({ pattern, instead }) =>
      [...checked.matchAll(pattern)].map(([word]) => ({ line: i + 1, word, instead })),
    );
  });
}

/** The files that are covered, as cspell.json lists them. */
export function listCovered(): string[] {
  const { files, ignorePaths } = JSON.parse(readFileSync(join(ROOT, 'cspell.json'), 'utf8')) as {
    files: string[];
    ignorePaths: string[];
  };
  return globSync(files, { cwd: ROOT, exclude: ignorePaths });
}

if (import.meta.main) {
  const covered = listCovered();
  for (const file of covered)
    for (const { line, word, instead } of findRetiredWords(
      readFileSync(join(ROOT, file), 'utf8'),
      file.endsWith('.md'),
    )) {
      console.error(`${file}:${line}: "${word}" is retired; write ${instead}`);
      process.exitCode = 1;
    }
  if (covered.length === 0) throw new Error('no file is covered: the check is blind');
  console.log(`words: ${covered.length} files, ${TO_COME.length} folders to come`);
}
