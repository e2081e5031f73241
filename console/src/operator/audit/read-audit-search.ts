/** What an operator types into the search of the audit log: words of the page, or other text. */
import type { Translate } from '../../i18n/translate.ts';
import type { AuditFilter } from './audit-filter.ts';

type Find = Pick<Translate, 'find'>;

/** What the page shows of codes, in the language of the reader. */
export interface Codes {
  readonly operations: readonly string[];
  readonly subjects: readonly string[];
}

const normalise = (text: string): string => text.trim().toLowerCase();

/** The first code that is shown as this text. */
function codeOf(
  t: Find,
  group: 'operation' | 'subjects',
  codes: readonly string[],
  text: string,
): string | undefined {
  return codes.find(
    (code) => normalise(t.find('operator', `audit.${group}.${code}`) ?? '') === normalise(text),
  );
}

/**
 * The filter that a search stands for. The service knows codes and numbers, the page shows words
 * for them: a title is an operation, `Payout 12` a subject, `#4` the person 4.
 */
export function readAuditSearch(t: Find, typed: string, codes: Codes): AuditFilter {
  const text = typed.trim();
  const operation = codeOf(t, 'operation', codes.operations, text);
  if (operation !== undefined) return { operation, text: undefined };
  const [, kindText = '', id = ''] = /^(\D*?)[\s#]*(\d+)$/.exec(text) ?? [];
  if (id === '') return { text: text || undefined };
  const isShort = kindText === '' && text.startsWith('#');
  const kind = isShort ? 'users' : codeOf(t, 'subjects', codes.subjects, kindText);
  // Also what is about the money of a person.
  if (kind === 'users') return { userId: id, text: undefined };
  return kind === undefined ? { text } : { subjectKind: kind, subjectId: id, text: undefined };
}
