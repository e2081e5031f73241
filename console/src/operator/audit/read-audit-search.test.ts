import { expect, test } from 'vitest';
import { CATALOGUES } from '../../../test/support/catalogues.ts';
import { audit } from '../../i18n/en/operator-audit.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { readAuditSearch } from './read-audit-search.ts';

const CODES = {
  operations: Object.keys(audit.operation),
  subjects: Object.keys(audit.subjects),
};

test.each([...CATALOGUES])('in %s what the page shows is found', (language, texts) => {
  const t = createTranslate(texts, language, 'operator');
  const { operation, subjects } = texts.operator.audit;
  const person = { userId: '4', text: undefined };
  for (const typed of [`${subjects.users} 4`, ` ${subjects.users.toUpperCase()} #4 `, '#4', '# 4'])
    expect([typed, readAuditSearch(t, typed, CODES)]).toEqual([typed, person]);
  expect(readAuditSearch(t, `${subjects['payout-policy']} 12`, CODES)).toEqual({
    ...{ subjectKind: 'payout-policy', subjectId: '12' },
    text: undefined,
  });
  expect(readAuditSearch(t, operation.setUserGroups, CODES)).toEqual({
    operation: 'setUserGroups',
    text: undefined,
  });
});

test.each(['kind-4100', '4', 'Order 66', 'staff', 'a 4 b'])('%j is searched as text', (typed) => {
  const texts = CATALOGUES.get('en');
  if (!texts) throw new Error('there is no English');
  const t = createTranslate(texts, 'en', 'operator');
  expect(readAuditSearch(t, typed, CODES)).toEqual({ text: typed });
  expect(readAuditSearch(t, '  ', CODES)).toEqual({ text: undefined });
});
