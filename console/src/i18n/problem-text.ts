import { ApiError, type FieldProblem } from '../api/problem.ts';
import { useTranslation } from './index.ts';
import type { Translate } from './translate.ts';

type CommonText = Translate<'common'>;

function waitText(t: CommonText, seconds: number): string {
  return seconds < 90 ? t('seconds', { count: Math.ceil(seconds) }) : t('minutes', { count: Math.ceil(seconds / 60) });
}

/** What is wrong with a field: our own words for its code, else the service's. */
export function fieldProblemText(t: CommonText, { field, code, message }: FieldProblem): string {
  return t.find('common', `fieldProblem.${field}.${code}`) ?? t.find('common', `fieldProblem.any.${code}`) ?? message;
}

/** What to tell a person about a failure: our own words for its code, else the service's sentence. */
export function problemText(t: CommonText, error: unknown): string {
  if (!(error instanceof ApiError)) return t('problem.internal_error');
  const { code, problem, retryAfter_s } = error;
  if (code === 'rate_limited' && retryAfter_s !== undefined) return t('problem.rate_limited_for', { wait: waitText(t, retryAfter_s) });
  if (code === 'invalid_code' && problem.tries_left !== undefined && problem.tries_left > 0)
    return t('problem.invalid_code_tries', { count: problem.tries_left });
  const [first] = problem.errors ?? [];
  if (first) return fieldProblemText(t, first);
  return t.find('common', `problem.${code}`) ?? (problem.detail || problem.title || t('problem.internal_error'));
}

/** Gives the function that puts failures into words. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('common');
  return (error) => problemText(t, error);
}
