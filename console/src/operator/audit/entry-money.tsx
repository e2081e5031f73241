/** In a row: how much an entry of the audit log is about, and whose it is. */
import { Amount } from '../../components/amount.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { PersonLink } from '../person-link.tsx';
import { personText } from './audit-words.ts';
import type { AuditEntry } from './queries.ts';
import { readEntryMoney } from './read-entry-money.ts';

export function EntryAmount({ entry }: { readonly entry: AuditEntry }) {
  const money = readEntryMoney(entry);
  if (!money) return null;
  return <Amount value={money.amount} currency={money.currency} size="sm" digits="readable" />;
}

/** The people whom it concerns, each with the way to their page. */
export function EntryPeople({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  return entry.people.map((person) => (
    <PersonLink key={person.user_id} id={String(person.user_id)}>
      {personText(t, person)}
    </PersonLink>
  ));
}
