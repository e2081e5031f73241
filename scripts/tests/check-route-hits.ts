/** After `npm run coverage`: prints each route without a successful response in any test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their connections stay open or leave Fastify, which sees no response; they have own tests. */
const UNSEEN: ReadonlySet<string> = new Set(['GET /me/devices/connect']);

/** The registered routes without a hit, in order. */
export function findMissedRoutes(lines: readonly string[]): string[] {
  const named = (prefix: string): string[] =>
    lines.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
  const hits = new Set(named('hit '));
  return [...new Set(named('registered '))]
    .filter((route) => !hits.has(route) && !UNSEEN.has(route))
    .sort();
}

if (import.meta.main) {
  const folder = process.argv[2] ?? '';
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').split('\n'),
  );
  const missed = findMissedRoutes(lines);
  for (const route of missed) console.error(`no test made this route answer: ${route}`);
  const registered = new Set(lines.filter((line) => line.startsWith('registered ')));
  console.log(`routes: ${registered.size}, without a successful answer: ${missed.length}`);
  process.exitCode = missed.length === 0 && registered.size > 0 ? 0 : 1;
}
