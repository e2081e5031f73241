/** Checks a part of a body by itself, where one wrong part must not refuse its neighbours. */
import type { Static, TSchema } from 'typebox';
import { validatorCompiler } from './validation.ts';
import { type AjvError, toFieldFailure } from './validation-errors.ts';

export type PartCheck<T extends TSchema> = (
  value: unknown,
) => { readonly value: Static<T> } | { readonly wrong: string };

/** Makes a check that says in words what is wrong. */
export function createPartCheck<T extends TSchema>(schema: T): PartCheck<T> {
  const check = validatorCompiler({ schema, method: '', url: '' }) as (data: unknown) => {
    error?: { validation: AjvError[] };
  };
  return (value) => {
    const { error } = check(value);
    if (!error) return { value: value as Static<T> };
    const fields = error.validation.map(toFieldFailure);
    return {
      wrong: fields
        .map(({ field, message }) => `${field === 'body' ? 'the item' : field} ${message}`)
        .join('; '),
    };
  };
}
