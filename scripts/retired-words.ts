/**
 * Words that texts of this project no longer use, with substitutes. cspell checks the spelling of
 * the same files (`files` of cspell.json).
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
  { pattern: /\banybody\b/gi, instead: 'any user, any caller' },
  { pattern: /\bmanieth\b/gi, instead: 'nth' },
  { pattern: /\b(as ever|in vain|by heart)\b/gi, instead: 'as before, without result, stored' },
  { pattern: /\bshut(s|ting)? (it |them )?out\b/gi, instead: 'disconnect' },
  { pattern: /\bovertakes?\b/gi, instead: 'order of requests with one key: FIFO per key' },
  { pattern: /\b(bites?|goodbye|throw-away)\b/gi, instead: 'fails, confirmation, temporary' },
  { pattern: /\b(is|are|was|were) told\b/gi, instead: 'receives, gets, reads' },
  { pattern: /\b(what|which|it|who) says (so|who)\b/gi, instead: 'states, names' },
  { pattern: /\bin (its|their|our|his|her|a person's) (own )?words\b/gi, instead: 'as text' },
  { pattern: /\bwaits? in (a )?circles?\b/gi, instead: 'deadlock' },
  {
    pattern: /\bit may be the case\b|\bwhatever (else )?it may be\b/gi,
    instead: 'any other value',
  },
  { pattern: /\btypes? of business\b|\bbusiness types?\b/gi, instead: 'transaction type' },
  { pattern: /\b(tells?|told) of\b/gi, instead: 'reports' },
  { pattern: /\b(go|goes|going|went) on\b/gi, instead: 'continues' },
  { pattern: /\bread otherwise than\b/gi, instead: 'differs from' },
];

export interface Finding {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Code and quoted titles of tests are not text of the page. */
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
  if (covered.length === 0) throw new Error('no file is covered: the check is ineffective');
  console.log(`words: ${covered.length} files`);
}
