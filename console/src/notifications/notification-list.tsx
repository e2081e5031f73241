/** What happened, newest first; each entry leads to what it is about. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { DateTime } from '../components/date-time.tsx';
import { Icon } from '../components/icon.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { useTranslation } from '../i18n/index.ts';
import { iconOf, notificationText } from './notification-text.ts';
import classes from './notifications.module.css';
import { markRead, type Notification, notificationsQuery } from './queries.ts';

/** Where a notification leads. */
function targetOf({ kind, details: { node_id: node } }: Notification): LinkProps {
  if (kind === 'device_offline' && node !== undefined)
    return { to: '/devices/history', search: { node } };
  if (kind === 'device_offline') return { to: '/devices' };
  if (kind === 'deposit') return { to: '/deposits' };
  if (kind === 'payout') return { to: '/wallets/withdraw' };
  if (kind === 'sign_in') return { to: '/security' };
  return { to: '/wallets', search: { wallet: 'bonus' } };
}

interface EntryProps {
  readonly notification: Notification;
  readonly isNew: boolean;
}

function Entry({ notification, isNew }: EntryProps) {
  const { t, language } = useTranslation('notifications');
  return (
    <Link {...targetOf(notification)} className={classes.entry}>
      <span className={classes.icon}>
        <Icon name={iconOf(notification.kind)} />
      </span>
      <span className={classes.text}>
        <span className={classes.message}>{notificationText(t, language, notification)}</span>
        <span className={classes.when}>
          <DateTime iso={notification.created_at} isShort />
          {isNew && <span className={classes.new}>{t('new')}</span>}
        </span>
      </span>
    </Link>
  );
}

/**
 * Opening the list reads what is new in it. For this visit it stays marked as new.
 * @returns the ids of what was new
 */
function useNew(notifications: readonly Notification[]): ReadonlySet<number> {
  const client = useQueryClient();
  const [known, setKnown] = useState<ReadonlySet<number>>(new Set());
  const unread = notifications.filter(({ is_read }) => !is_read).map(({ id }) => id);
  const [upTo] = unread;
  useEffect(() => {
    if (upTo === undefined) return;
    // When it fails, the number stays, and the next visit marks them.
    markRead(client, upTo).catch(() => undefined);
  }, [client, upTo]);
  if (unread.some((id) => !known.has(id))) setKnown(new Set([...known, ...unread]));
  return known;
}

export function NotificationList() {
  const { t } = useTranslation('notifications');
  const list = useInfiniteQuery(notificationsQuery);
  const notifications = list.data?.pages.flatMap(({ records }) => records) ?? [];
  const fresh = useNew(notifications);
  return (
    <Section title={t('list')}>
      <QueryBoundary query={list} skeleton={<SkeletonLines count={5} height={56} />}>
        {() =>
          notifications.length === 0 ? (
            <EmptyState icon="bell" title={t('none')}>
              {t('noneLead')}
            </EmptyState>
          ) : (
            <>
              <ul className={classes.entries}>
                {notifications.map((notification) => (
                  <li key={notification.id}>
                    <Entry notification={notification} isNew={fresh.has(notification.id)} />
                  </li>
                ))}
              </ul>
              {list.hasNextPage && <MoreButton query={list} label={t('more')} />}
            </>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
