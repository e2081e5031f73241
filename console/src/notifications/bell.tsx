import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Icon } from '../components/icon.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './bell.module.css';
import { unreadQuery } from './queries.ts';

/** More are shown as this number with a plus sign. */
const SHOWN_MAX = 99;

/** The way to the notifications, with the number of those that were not seen. */
export function Bell() {
  const { t } = useTranslation('shell');
  const unread = useQuery(unreadQuery).data ?? 0;
  return (
    <Link
      to="/notifications"
      className={classes.bell}
      aria-label={unread === 0 ? t('bell') : t('bellUnread', { count: unread })}
    >
      <Icon name="bell" size={22} />
      {unread > 0 && (
        <span className={classes.count} aria-hidden="true">
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </Link>
  );
}
