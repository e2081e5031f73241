/** Validates the items of a batch, the text that they hold included. */
import type { TSchema } from 'typebox';
import { createItemValidator } from '../http/index.ts';
import { findUnstorable } from '../lib/exact-json.ts';

/** @param label names the item itself in an error */
export function createStorableItemValidator<T extends TSchema>(
  schema: T,
  label: string,
): ReturnType<typeof createItemValidator<T>> {
  const validate = createItemValidator(schema);
  return (item) => {
    const field = findUnstorable(item, label);
    if (field === undefined) return validate(item);
    const message = 'holds NUL, a lone surrogate or a field of a forbidden name';
    return { error: { field, code: 'not_storable', message } };
  };
}
