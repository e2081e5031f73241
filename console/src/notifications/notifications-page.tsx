import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isPending, Page } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { BrowsersSection } from './browsers-section.tsx';
import { ChoicesSection } from './choices-section.tsx';
import { NotificationList } from './notification-list.tsx';
import { browsersQuery, notificationsQuery, preferencesQuery } from './queries.ts';

/** What happened, and the choice of notifications. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications');
  const queries = [
    useInfiniteQuery(notificationsQuery),
    useQuery(preferencesQuery),
    useQuery(browsersQuery),
  ];
  return (
    <Page title={t('title')} isLoading={queries.some(isPending)} isPaired>
      <NotificationList />
      <ChoicesSection />
      <BrowsersSection />
    </Page>
  );
}
