import { DateTime } from '../components/date-time.tsx';
import { EmptyState, Section } from '../components/layout.tsx';
import { PagedList, pageQuery } from '../components/paged-list.tsx';
import { useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import { eventText, programText } from '../i18n/labels.ts';
import { fetchEvents } from './queries.ts';
import classes from './security.module.css';

const ROW_HEIGHT = 84;
const ROOMY_ROW_HEIGHT = 64;
/** Where what happened and from where stand beside each other. */
const ROOMY = '(min-width: 48em)';
const QUERY_KEY = ['security', 'events'];

export const firstEventsQuery = pageQuery(QUERY_KEY, fetchEvents, 1);

/** What happened to the account's safety. */
export function EventsSection() {
  const { t } = useTranslation('security');
  const isRoomy = useMedia(ROOMY);
  return (
    <Section title={t('events')} isWide>
      <PagedList
        label={t('events')}
        queryKey={QUERY_KEY}
        fetchPage={fetchEvents}
        rowHeight={isRoomy ? ROOMY_ROW_HEIGHT : ROW_HEIGHT}
        keyOf={(event) => event.id}
        renderMissing={() => <span className={classes.event} aria-hidden="true" />}
        renderRow={(event) => (
          <div className={classes.event}>
            <span className={classes.rowTitle}>{eventText(t, event)}</span>
            {typeof event.details.reason === 'string' && event.details.reason !== '' && (
              <span className={classes.small}>
                {t('common:labelled', {
                  name: t('deposits:reasonGiven'),
                  value: event.details.reason,
                })}
              </span>
            )}
            <span className={`${classes.small} ${classes.program}`}>
              <DateTime iso={event.created_at} isShort /> ·{' '}
              {programText(t, event.user_agent) || t('unknownProgram')}
            </span>
            <span className={`${classes.small} ${classes.ip}`}>{event.ip}</span>
          </div>
        )}
        empty={<EmptyState icon="shield" title={t('noEvents')} />}
      />
    </Section>
  );
}
