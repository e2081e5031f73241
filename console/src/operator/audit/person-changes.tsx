/** What operators and commands changed of a person, with the way to all of it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import person from '../person/person.module.css';
import { actorText, operationText } from './audit-words.ts';
import { changesQuery } from './queries.ts';

export function PersonChanges({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const changes = useQuery(changesQuery(userId));
  return (
    <Section
      title={t('audit.changes')}
      lead={t('audit.changesLead')}
      actions={
        <Link
          to="/operator"
          search={{ view: 'audit', subjectKind: 'users', subjectId: String(userId) }}
        >
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
                <li key={entry.id}>
                  <span>
                    {operationText(t, entry.operation)}
                    {entry.reason !== undefined && ` · “${entry.reason}”`}
                  </span>
                  <span className={person.small}>
                    {actorText(t, entry.actor)} · <DateTime iso={entry.at} isShort />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
