/** Names of time zones. */
import { readFileSync } from 'node:fs';

/**
 * The zones and links of the IANA database. JavaScript's own list lacks the links, and what it
 * computes with holds names of its own (`AST`, `SystemV/EST5`) in whatever case: PostgreSQL, and
 * other programs, would not know them.
 */
const NAMES: ReadonlySet<string> = new Set(
  readFileSync(new URL('./time-zones.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** True for a name of the IANA database, an alias included, exactly as it is written there. */
export function isTimeZone(text: string): boolean {
  return NAMES.has(text);
}
