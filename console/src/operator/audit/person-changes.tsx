/** What operators and commands changed of a person, with the way to all of it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import person from '../person/person.module.css';
import { actorText, operationText, transferText } from './audit-words.ts';
import { EntryAmount } from './entry-money.tsx';
import { type AuditEntry, changesQuery } from './queries.ts';
import { readEntryMoney } from './read-entry-money.ts';

function Change({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  const money = readEntryMoney(entry);
  const kind = money && transferText(t, money);
  return (
    <li>
      <span>
        {operationText(t, entry.operation)}
        {kind !== undefined && ` · ${kind}`}
        {money && ' · '}
        <EntryAmount entry={entry} />
        {entry.reason !== undefined && ` · “${entry.reason}”`}
      </span>
      <span className={person.small}>
        {actorText(t, entry.actor)} · <DateTime iso={entry.at} isShort />
      </span>
    </li>
  );
}

export function PersonChanges({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const changes = useQuery(changesQuery(userId));
  return (
    <Section
      title={t('audit.changes')}
      lead={t('audit.changesLead')}
      actions={
        <Link to="/operator" search={{ view: 'audit', userId: String(userId) }}>
          {t('audit.allChanges')}
        </Link>
      }
    >
      <QueryBoundary query={changes} skeleton={<SkeletonLines count={2} />}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className={person.none}>{t('audit.noChanges')}</p>
          ) : (
            <ul className={person.rows}>
              {entries.map((entry) => (
                <Change key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
