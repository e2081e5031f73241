import { useTranslation } from '../i18n/index.ts';
import { Page } from '../parts/layout.tsx';
import { AddressSection } from './address-section.tsx';
import { RecordsSection } from './records-section.tsx';

/** Where to send money to, and what has arrived. */
export function DepositsPage() {
  const { t } = useTranslation('deposits');
  return (
    <Page title={t('title')}>
      <AddressSection />
      <RecordsSection />
    </Page>
  );
}
