import { BackLink } from '../components/back-link.tsx';
import { Page } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { usePrices } from '../wallets/approximate-value.tsx';
import { AddressSection, useIsAddressLoading } from './address-section.tsx';
import { RecordsSection } from './records-section.tsx';

/** Where to send money to, and what has arrived. */
export function DepositsPage() {
  const { t } = useTranslation('deposits');
  usePrices();
  return (
    <Page
      title={t('title')}
      isLoading={useIsAddressLoading()}
      back={<BackLink to="/wallets">{t('shell:nav.wallets')}</BackLink>}
    >
      <AddressSection />
      <RecordsSection />
    </Page>
  );
}
