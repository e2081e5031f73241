/**
 * After `npm run coverage`: prints each route without a successful response in any test, and each
 * problem that the OpenAPI document lists for an operation and that no test has seen there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their connections stay open or leave Fastify, which sees no response; they have own tests. */
const UNSEEN: ReadonlySet<string> = new Set(['GET /me/devices/connect']);

/** What begins with a word, without those that begin with another one, in order. */
function difference(lines: readonly string[], word: string, other: string): string[] {
  const named = (prefix: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${prefix} `) ? [line.slice(prefix.length + 1)] : []));
  const others = new Set(named(other));
  return [...new Set(named(word))].filter((rest) => !others.has(rest)).sort();
}

/** The registered routes without a hit, in order. */
export function findMissedRoutes(lines: readonly string[]): string[] {
  return difference(lines, 'registered', 'hit').filter((route) => !UNSEEN.has(route));
}

/** The documented problems that no test has seen, in order: method, path and code. */
export function findMissedProblems(lines: readonly string[]): string[] {
  const isUnseen = (problem: string): boolean =>
    [...UNSEEN].some((route) => problem.startsWith(`${route} `));
  return difference(lines, 'documented', 'answered').filter((problem) => !isUnseen(problem));
}

if (import.meta.main) {
  const folder = process.argv[2] ?? '';
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').split('\n'),
  );
  const [routes, problems] = [findMissedRoutes(lines), findMissedProblems(lines)];
  for (const route of routes) console.error(`no test made this route answer: ${route}`);
  for (const problem of problems) console.error(`no test saw this problem: ${problem}`);
  const count = (word: string): number =>
    new Set(lines.filter((line) => line.startsWith(`${word} `))).size;
  console.log(`routes: ${count('registered')}, without a successful answer: ${routes.length}`);
  console.log(`documented problems: ${count('documented')}, not seen: ${problems.length}`);
  process.exitCode = routes.length === 0 && count('registered') > 0 ? 0 : 1;
}
