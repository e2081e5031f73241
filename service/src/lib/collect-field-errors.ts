import { Failure, failure } from './failures.ts';

/**
 * Runs checks of several fields and reports all their errors together.
 * @throws `invalid_parameter`
 */
export function collectFieldErrors<const Checks extends readonly (() => unknown)[]>(
  ...checks: Checks
): { [At in keyof Checks]: ReturnType<Checks[At]> } {
  const refused: Failure[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid_parameter') throw error;
      return void refused.push(error);
    }
  });
  const [first] = refused;
  if (first)
    throw failure('invalid_parameter', {
      ...first.details,
      fields: refused.flatMap(({ details }) => details.fields ?? []),
    });
  return results as { [At in keyof Checks]: ReturnType<Checks[At]> };
}
