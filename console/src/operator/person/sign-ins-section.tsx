/** Sessions and security log of a person. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { eventText, programText, signInMethodText } from '../../i18n/labels.ts';
import classes from './person.module.css';
import { securityEventsQuery, sessionsQuery } from './queries.ts';

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
                  <span>{programText(t, session.user_agent) || session.client_id}</span>
                  <span className={classes.small}>
                    {[session.ip, signInMethodText(t, session.amr)].filter(Boolean).join(' · ')}
                    {' · '}
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
  const log = useInfiniteQuery(securityEventsQuery(userId));
  const events = log.data?.pages.flatMap(({ records }) => records) ?? [];
  return (
    <Section title={t('person.events')}>
      <QueryBoundary query={log} skeleton={<SkeletonLines count={6} />}>
        {() =>
          events.length === 0 ? (
            <EmptyState icon="shield" title={t('person.noEvents')} />
          ) : (
            <>
              <ul className={classes.rows} aria-label={t('person.events')}>
                {events.map((event) => (
                  <li key={event.id}>
                    <span>
                      {eventText(t, event)}
                      <ReasonOf details={event.details} />
                    </span>
                    <span className={classes.small}>
                      {[programText(t, event.user_agent), event.ip].filter(Boolean).join(' · ')}
                      {' · '}
                      <DateTime iso={event.created_at} isShort />
                    </span>
                  </li>
                ))}
              </ul>
              {log.hasNextPage && <MoreButton query={log} label={t('payouts.more')} />}
            </>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
