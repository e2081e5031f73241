import { useState } from 'react';
import { audit } from '../../i18n/en/operator-audit.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { AuditFilter } from './audit-filter.ts';
import { readAuditSearch } from './read-audit-search.ts';

const CODES = {
  operations: Object.keys(audit.operation),
  subjects: Object.keys(audit.subjects),
};

interface Translated {
  readonly typed: string;
  readonly filter: AuditFilter;
}

/** Whether what was typed still stands for the filter that is set. */
function isInForce({ filter: part }: Translated, filter: AuditFilter): boolean {
  return (Object.keys(part) as (keyof AuditFilter)[]).every((name) => part[name] === filter[name]);
}

/**
 * The words of the search. Where they stand for other filters, they stay in the field until those
 * are changed, and take them along when they go.
 */
export function useAuditSearch(
  filter: AuditFilter,
  onChange: (change: AuditFilter) => void,
  onTranslate: () => void,
) {
  const { t } = useTranslation('operator');
  const [last, setLast] = useState<Translated>();
  const translated = last && isInForce(last, filter) ? last : undefined;
  return {
    value: filter.text ?? translated?.typed ?? '',
    search(typed: string): void {
      const found = readAuditSearch(t, typed, CODES);
      const isTranslated = found.text === undefined && typed !== '';
      const before = Object.keys(translated?.filter ?? {}).map((name) => [name, undefined]);
      setLast(isTranslated ? { typed, filter: found } : undefined);
      // What the words became is in sight.
      if (isTranslated) onTranslate();
      onChange({ ...Object.fromEntries(before), ...found });
    },
  };
}
