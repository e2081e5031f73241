/**
 * Categories of traffic that a device asks its owner for in the authorization request (`device_categories`, separated
 * by commas): the person grants them with the consent, and the grant carries them to the device's registration.
 */
import type { Db } from '../../db/index.ts';
import { fieldError } from '../../lib/failures.ts';

const CATEGORIES_MAX = 32;
const LENGTH_MAX = 64;
/** No control characters, and none that turn the direction of text or take no room. */
const PLAIN = /^[^\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+$/u;

/** The categories of a request, each once; undefined when they are malformed. */
export function readCategories(parameter: unknown): readonly string[] | undefined {
  if (parameter === undefined) return [];
  if (typeof parameter !== 'string') return undefined;
  const words = parameter.split(',').map((word) => word.trim());
  const categories = [...new Set(words.filter((word) => word !== ''))];
  const isRight =
    categories.length <= CATEGORIES_MAX &&
    categories.every((word) => word.length <= LENGTH_MAX && PLAIN.test(word));
  return isRight ? categories : undefined;
}

/** What the person grants of what is asked; default: all of it. @throws `invalid_parameter` for what nobody asked for */
export function grantedOf(
  asked: readonly string[],
  chosen: readonly string[] | undefined,
): readonly string[] {
  const foreign = chosen?.find((category) => !asked.includes(category));
  if (foreign !== undefined)
    throw fieldError(
      'categories',
      'not_requested',
      `holds a category that was not asked for: ${foreign}`,
    );
  return chosen === undefined ? asked : asked.filter((category) => chosen.includes(category));
}

/** The categories that a grant decides on: those that were asked for, and those of them that the person granted. */
export async function findGrantedCategories(
  db: Db,
  grantId: string,
): Promise<{ asked: readonly string[]; granted: readonly string[] }> {
  const { rows } = await db.query<{ asked: string[] | null; granted: string[] | null }>(
    `select payload->'device_categories_asked' as asked, payload->'device_categories' as granted from oidc_object where model = 'Grant' and id = $1`,
    [grantId],
  );
  const granted = rows[0]?.granted ?? [];
  // A grant that does not know what was refused takes nothing back.
  return { asked: rows[0]?.asked ?? granted, granted };
}
