/**
 * Traffic categories that a device requests in the authorization request (`device_categories`,
 * separated by commas). The user grants them with the consent, and the registration of the device
 * reads them from the grant.
 */
import type { Db } from '../../db/index.ts';
import { fieldError } from '../../lib/failures.ts';

const CATEGORIES_MAX = 32;
const LENGTH_MAX = 64;
/** No control, direction-changing or zero-width characters. */
const PLAIN = /^[^\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+$/u;

/** The distinct categories of a request; undefined when they are malformed. */
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

/**
 * The requested categories that the user grants; default: all. @throws `invalid_parameter` for a
 * category that was not requested
 */
export function selectCategories(
  requested: readonly string[],
  chosen: readonly string[] | undefined,
): readonly string[] {
  const foreign = chosen?.find((category) => !requested.includes(category));
  if (foreign !== undefined)
    throw fieldError(
      'categories',
      'not_requested',
      `contains a category that was not requested: ${foreign}`,
    );
  return chosen ? requested.filter((category) => chosen.includes(category)) : requested;
}

/** The categories that a grant decides about: requested (`asked`) and granted ones. */
export async function findGrantedCategories(
  db: Db,
  grantId: string,
): Promise<{ asked: readonly string[]; granted: readonly string[] }> {
  const { rows } = await db.query<{ asked: string[] | null; granted: string[] | null }>(
    `select payload->'device_categories_asked' as asked, payload->'device_categories' as granted
     from oidc_object where model = 'Grant' and id = $1`,
    [grantId],
  );
  const granted = rows[0]?.granted ?? [];
  // Without the requested ones, no category counts as refused.
  return { asked: rows[0]?.asked ?? granted, granted };
}
