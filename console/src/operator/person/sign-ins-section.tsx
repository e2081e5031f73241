/** Sessions and security log of a person. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { eventText } from '../../i18n/labels.ts';
import { programText } from '../../lib/user-agent-text.ts';
import classes from './person.module.css';
import { fetchSecurityEvents, sessionsQuery } from './queries.ts';

const ROW_HEIGHT = 84;

export function SessionsSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const sessions = useQuery(sessionsQuery(userId));
  return (
    <Section title={t('person.sessions')}>
      <QueryBoundary query={sessions} skeleton={<SkeletonLines count={2} />}>
        {({ sessions: list }) =>
          list.length === 0 ? (
            <p className={classes.none}>{t('person.noSessions')}</p>
          ) : (
            <ul className={classes.rows}>
              {list.map((session) => (
                <li key={session.sid}>
                  <span>{programText(session.user_agent) || session.client_id}</span>
                  <span className={classes.small}>
                    {session.ip} · {session.amr.join(' + ')} ·{' '}
                    <DateTime iso={session.created_at} isShort />
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

/** The reason that an operator gave. */
function ReasonOf({ details }: { readonly details: Readonly<Record<string, unknown>> }) {
  const { reason } = details;
  return typeof reason === 'string' && reason !== '' ? <> · “{reason}”</> : null;
}

export function SecurityLogSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const queryKey = useMemo(() => ['operator', 'users', 'one', userId, 'events'], [userId]);
  const fetchPage = useCallback(
    (current: number, signal: AbortSignal) => fetchSecurityEvents(userId, current, signal),
    [userId],
  );
  return (
    <Section title={t('person.events')}>
      <PagedList
        label={t('person.events')}
        queryKey={queryKey}
        fetchPage={fetchPage}
        rowHeight={ROW_HEIGHT}
        keyOf={(event) => event.id}
        renderMissing={() => <span className={classes.event} aria-hidden="true" />}
        renderRow={(event) => (
          <div className={classes.event}>
            <span className={classes.line}>
              {eventText(t, event)}
              <ReasonOf details={event.details} />
            </span>
            <span className={classes.small}>
              <DateTime iso={event.created_at} isShort /> · {programText(event.user_agent)}
            </span>
            <span className={classes.small}>{event.ip}</span>
          </div>
        )}
        empty={<EmptyState icon="shield" title={t('person.noEvents')} />}
      />
    </Section>
  );
}
