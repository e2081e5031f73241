import { useTranslation } from '../i18n/index.ts';
import { Empty, Page } from '../parts/layout.tsx';
import { NavButton } from '../parts/nav-button.tsx';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('notFound')}>
      <Empty icon="search" title={t('notFoundLead')} action={<NavButton to="/">{t('toHome')}</NavButton>} />
    </Page>
  );
}
