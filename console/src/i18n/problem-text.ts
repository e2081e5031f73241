/**
 * Failures in the reader's words: by the code of the problem or of the field, else by kind. The
 * service's own sentences are English, for programs.
 */
import { EdgeError, type FieldProblem } from '@edge-account/sdk';
import { isLastTry } from '../api/problem.ts';
import { useTranslation } from './index.ts';
import type { TextKey, Translate } from './translate.ts';

type CommonText = Translate<'common'>;

function waitText(t: CommonText, seconds: number): string {
  return seconds < 90
    ? t('seconds', { count: Math.ceil(seconds) })
    : t('minutes', { count: Math.ceil(seconds / 60) });
}

/** Failures with codes of their own that the console shows alike. */
const SAME_KINDS: Readonly<Record<string, string>> = {
  format: 'pattern',
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
};

/** Labels of the fields of forms, for a failure that is not shown beside its field. */
const FIELD_NAMES: Readonly<Record<string, TextKey<'common'>>> = {
  email: 'signIn:email',
  nickname: 'signIn:register.nickname',
  referral_code: 'signIn:register.referral',
  recovery_code: 'signIn:factor.recoveryCode',
  user_code: 'devices:deviceCode',
  amount: 'wallets:amount',
  url: 'operator:webhooks.url',
  description: 'operator:webhooks.description',
  event_types: 'operator:webhooks.types',
  rpc_urls: 'operator:chains.endpoints',
  xpub: 'operator:chains.xpub',
  coin: 'operator:chains.coin',
  required_confirmations: 'operator:chains.confirmations',
  currency: 'operator:chains.currency',
  contract_address: 'operator:chains.contract',
  decimals: 'operator:chains.decimals',
  min_deposit: 'operator:chains.minimum',
  address: 'withdraw:address',
  network: 'withdraw:network',
  label: 'withdraw:label',
  automatic_age_days: 'operator:payouts.automaticAge',
  sanctions_url: 'operator:payouts.sanctionsUrl',
};

/** The words that belong to this field, or to this failure of any. */
function ownText(t: CommonText, { field, code }: FieldProblem): string | undefined {
  return (
    t.find('common', `fieldProblem.${field}.${code}`) ??
    t.find('common', `fieldProblem.any.${code}`)
  );
}

function kindText(t: CommonText, { code }: FieldProblem): string {
  return (
    t.find('shell', `fieldProblem.${code}`) ??
    t.find('common', `fieldKind.${SAME_KINDS[code] ?? code}`) ??
    t('fieldKind.other')
  );
}

/** The error that is shown beside a field. */
export function fieldProblemText(t: CommonText, problem: FieldProblem): string {
  return ownText(t, problem) ?? kindText(t, problem);
}

/**
 * The same where the field is not in sight: a field within a document has no other name than its
 * path.
 */
function namedProblemText(t: CommonText, problem: FieldProblem): string {
  const own = ownText(t, problem);
  if (own !== undefined) return own;
  const key = FIELD_NAMES[problem.field.split('.')[0] ?? ''];
  const name =
    key === undefined ? (problem.field.includes('.') ? problem.field : undefined) : t(key);
  return name === undefined
    ? kindText(t, problem)
    : t('named', { name, problem: kindText(t, problem) });
}

const SAME_STATUS: Readonly<Record<number, TextKey<'common'>>> = {
  401: 'problem.invalid_token',
  403: 'problem.insufficient_scope',
  429: 'problem.rate_limited',
};

/** For a failure without words of its own. */
function statusText(t: CommonText, status: number): string {
  const same = SAME_STATUS[status];
  if (same !== undefined) return t(same);
  return status >= 500
    ? t('problem.unavailable')
    : (t.find('common', `problem.status_${status}`) ?? t('problem.status_400'));
}

/** What keeps an account open is owed, or that and something else. */
function debtText(t: CommonText, owed: readonly string[], all: readonly string[] = owed): string {
  const key =
    all.length > owed.length
      ? 'shell:problem.account_in_debt_in_part'
      : 'shell:problem.account_in_debt';
  return t(key, { currencies: owed.join(', ') });
}

/** What to tell a person about a failure. */
export function problemText(t: CommonText, error: unknown): string {
  if (!(error instanceof EdgeError)) return t('problem.internal_error');
  const { code, problem, retryAfter_s } = error;
  if (code === 'rate_limited' && retryAfter_s !== undefined)
    return t('problem.rate_limited_for', { wait: waitText(t, retryAfter_s) });
  if (error.status >= 500 && retryAfter_s !== undefined)
    return t('problem.unavailable_for', { wait: waitText(t, retryAfter_s) });
  if (code === 'invalid_code' && problem.tries_left !== undefined && problem.tries_left > 0)
    return t('problem.invalid_code_tries', { count: problem.tries_left });
  if (isLastTry(error)) return t('problem.invalid_code_last');
  if (code === 'account_not_empty' && problem.owed_currencies !== undefined)
    return debtText(t, problem.owed_currencies, problem.currencies);
  const [first] = problem.errors ?? [];
  if (first) return namedProblemText(t, first);
  return (
    t.find('common', `problem.${code}`) ??
    t.find('shell', `problem.${code}`) ??
    t.find('operator', `problem.${code}`) ??
    statusText(t, error.status)
  );
}

/** Words beside fields, by their names. */
export type FieldTexts = Readonly<Record<string, string>>;
export const NO_FIELDS: FieldTexts = {};

/**
 * The first error of each field; within a document by the path of the value, and for a field that
 * holds the document all of them, each in a line with its place.
 */
function fieldTexts(t: CommonText, error: unknown): FieldTexts {
  const errors = error instanceof EdgeError ? (error.problem.errors ?? []) : [];
  const texts = new Map<string, string>();
  for (const entry of errors) {
    const [name = '', ...path] = entry.field.split('.');
    const before = texts.get(name);
    if (path.length > 0) {
      const all = [...(before === undefined ? [] : [before]), namedProblemText(t, entry)];
      texts.set(name, all.join('\n'));
      if (!texts.has(entry.field)) texts.set(entry.field, fieldProblemText(t, entry));
    } else if (before === undefined) texts.set(name, fieldProblemText(t, entry));
  }
  return texts.size === 0 ? NO_FIELDS : Object.fromEntries(texts);
}

/**
 * Gives the function that puts failures into words: of the whole, and of the fields that are named.
 */
export function useRefusal(): (error: unknown) => {
  readonly message: string;
  readonly fields: FieldTexts;
} {
  const { t } = useTranslation('common');
  return (error) => ({ message: problemText(t, error), fields: fieldTexts(t, error) });
}

/** Gives the function that puts failures into words. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation('common');
  return (error) => problemText(t, error);
}
